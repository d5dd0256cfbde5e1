package query

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// An excerpter cuts the parts of texts that answer a query.
type excerpter struct {
	query    string
	standing schema.Standing
}

// A sentence is a sentence or a line of a text.
type sentence struct {
	text string
	mark string // note of the decision that superseded one in its line
	line int    // of the text, from 0
}

// An excerpt is a part of a text.
type excerpt struct {
	text string // on one line, sanitized
	line string // the line of the whole text that answers best, unchanged
}

// excerpt returns the part of a text that answers the query best, with the text around it, in
// at most about n characters. Secrets are masked.
func (e excerpter) excerpt(text string, n int) excerpt {
	masked, _ := secret.Mask(text)
	all := e.sentences(sanitize.Text(masked))
	if len(all) == 0 {
		return excerpt{}
	}
	texts := make([]relevance.Text, len(all))
	for i, s := range all {
		texts[i] = relevance.Text{Content: s.text, Session: strconv.Itoa(i)} // no neighbors
	}
	best, most := 0, 0.0
	for i, match := range relevance.Compare(e.query, texts) {
		if match.Rank > most {
			best, most = i, match.Rank
		}
	}
	out := excerpt{text: around(all, best, n)}
	if lines := strings.Split(text, "\n"); all[best].line < len(lines) {
		out.line = strings.TrimSpace(lines[all[best].line])
	}
	return out
}

// around returns a sentence with as many of its neighbors as fit into n characters.
func around(all []sentence, best, n int) string {
	from, to := best, best+1
	used := all[best].length()
	for grew := true; grew; { // the following one first, then the one before
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
		b.WriteString(shorten(s.text, max(1, n-utf8.RuneCountInString(s.mark))) + s.mark)
	}
	if to < len(all) {
		b.WriteString(" …")
	}
	return b.String()
}

func (s sentence) length() int {
	return utf8.RuneCountInString(s.text) + utf8.RuneCountInString(s.mark) + 1
}

// sentences splits a text at the ends of lines and sentences.
func (e excerpter) sentences(text string) (all []sentence) {
	at := 0
	for line := range strings.Lines(text) {
		line = strings.Join(strings.Fields(line), " ")
		mark := e.standing.Mark(line)[len(line):]
		for line != "" {
			end := len(line)
			if at := sentenceEnd.FindStringIndex(line); at != nil {
				end = at[1]
			}
			all = append(all, sentence{strings.TrimSpace(line[:end]), mark, at})
			line = line[end:]
		}
		at++
	}
	return all
}

var sentenceEnd = lazyregexp.New(`[.?!;] `)

// shorten returns a text of at most n characters. If there is room, it ends with the number of
// characters left out.
func shorten(text string, n int) string {
	const least = 100
	all := utf8.RuneCountInString(text)
	if all <= n {
		return text
	}
	word := "…"
	if n >= least {
		word = fmt.Sprintf("… [cut: %d more characters]", all-n)
	}
	runes := []rune(text)
	return string(runes[:max(1, n-utf8.RuneCountInString(word))]) + word
}
