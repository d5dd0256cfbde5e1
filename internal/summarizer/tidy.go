package summarizer

import (
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/remote"
)

// maxAnswer is the maximum length of a summary, in bytes.
const maxAnswer = 4 << 10

var (
	// thought matches the reasoning that some models write before their answer.
	thought = lazyregexp.New(`(?s)^\s*<think>.*?</think>`)
	// blockStart matches the beginning of any markdown block other than a paragraph.
	blockStart = lazyregexp.New("^(?:#{1,6}(?: +|$)|>+ *|[-*+](?: +|$)|~{3,}.*)*(?:`{3,}[^`]*$|[-=*_]{3,}$)?")
)

// tidy returns an answer as plain paragraphs: valid UTF-8, one line each, without
// characters that a terminal interprets or that begin other markdown blocks, and cut
// after a sentence.
func tidy(said reply) string {
	text := thought.ReplaceAllString(said.text, "")
	text = strings.ToValidUTF8(text[:min(len(text), maxOutput)], "\ufffd")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n\n").Replace(text)
	var paragraphs []string
	for block := range strings.SplitSeq(remote.Plain(text), "\n\n") {
		var line []string
		for part := range strings.SplitSeq(block, "\n") {
			if part = blockStart.ReplaceAllString(part, ""); part != "" {
				line = append(line, part)
			}
		}
		if len(line) > 0 {
			paragraphs = append(paragraphs, unmarked(strings.Join(line, " ")))
		}
	}
	text = strings.Join(paragraphs, "\n\n")
	if len(text) > maxAnswer {
		text = atSentence(text[:maxAnswer])
	} else if said.short {
		text = atSentence(text)
	}
	return text
}

// unmarked returns a paragraph that does not begin with HTML, which could hide the
// following text.
func unmarked(paragraph string) string {
	if strings.HasPrefix(paragraph, "<") {
		return `\` + paragraph
	}
	return paragraph
}

// sentenceEnd matches the end of a sentence or of a paragraph.
var sentenceEnd = lazyregexp.New(`[.!?…]["')\]”’]*(?:\s|$)|[。！？]|\n\n`)

// atSentence returns text up to the end of its last complete sentence, else up to its
// last word, with an ellipsis.
func atSentence(text string) string {
	for len(text) > 0 {
		if r, size := utf8.DecodeLastRuneInString(text); r != utf8.RuneError || size != 1 {
			break
		}
		text = text[:len(text)-1]
	}
	if ends := sentenceEnd.FindAllStringIndex(text, -1); len(ends) > 0 {
		if whole := strings.TrimSpace(text[:ends[len(ends)-1][1]]); whole != "" {
			return whole
		}
	}
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	if at := strings.LastIndexByte(text, ' '); at > len(text)/2 {
		text = text[:at]
	}
	for len(text) > maxAnswer-len(" …") {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text + " …"
}
