package mcp

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/schema"
)

// An excerpter cuts from texts what answers a query.
type excerpter struct {
	query    string
	standing schema.Standing
}

// A sentence is one of a text, or a line of it.
type sentence struct {
	text string
	mark string // which decision superseded the one that its line names
}

// excerpt is what of a text answers the query best, and what stands around it, on
// one line of at most about n characters, sanitized.
func (e excerpter) excerpt(text string, n int) string {
	all := e.sentences(sanitize.Text(text))
	texts := make([]relevance.Text, len(all))
	for i, s := range all {
		texts[i] = relevance.Text{Content: s.text, Session: strconv.Itoa(i)} // no neighbours
	}
	best, most := 0, 0.0
	for i, match := range relevance.Compare(e.query, texts) {
		if match.Rank > most {
			best, most = i, match.Rank
		}
	}
	if len(all) == 0 {
		return ""
	}
	from, to := best, best+1
	used := all[best].length()
	for grew := true; grew; { // what follows first, then what stands before
		grew = false
		if to < len(all) && used+all[to].length() <= n {
			used += all[to].length()
			to, grew = to+1, true
		}
		if from > 0 && used+all[from-1].length() <= n {
			from--
			used += all[from].length()
			grew = true
		}
	}
	var b strings.Builder
	if from > 0 {
		b.WriteString("… ")
	}
	for i, s := range all[from:to] {
		if i > 0 {
			b.WriteString(" ")
		}
		b.WriteString(cut(s.text, max(1, n-utf8.RuneCountInString(s.mark))) + s.mark)
	}
	if to < len(all) {
		b.WriteString(" …")
	}
	return b.String()
}

func (s sentence) length() int {
	return utf8.RuneCountInString(s.text) + utf8.RuneCountInString(s.mark) + 1
}

// sentences parts a text where lines and sentences end.
func (e excerpter) sentences(text string) (all []sentence) {
	for line := range strings.Lines(text) {
		line = strings.Join(strings.Fields(line), " ")
		mark := e.standing.Mark(line)[len(line):]
		for line != "" {
			end := len(line)
			if at := sentenceEnd.FindStringIndex(line); at != nil {
				end = at[1]
			}
			all = append(all, sentence{strings.TrimSpace(line[:end]), mark})
			line = line[end:]
		}
	}
	return all
}

var sentenceEnd = lazyregexp.New(`[.?!;] `)
