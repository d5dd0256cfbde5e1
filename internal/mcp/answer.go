package mcp

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/sanitize"
)

// maxAnswer bounds the characters of a result: its text and its structured
// content together, or each of them where they say the same text.
const maxAnswer = 10_000

// An answer is what a tool says.
type answer struct {
	text       string
	structured []byte // JSON that says all that text says
}

// result is the answer as the protocol has it.
func (a answer) result() *sdk.CallToolResult {
	structured, err := sanitize.JSON(a.structured)
	if err != nil {
		return failed(err)
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: sanitize.Text(a.text)}}, StructuredContent: raw(structured)}
}

// raw is JSON that is written as it is.
type raw []byte

func (r raw) MarshalJSON() ([]byte, error) { return r, nil }

// failed is the result of a tool that could not do it: what is wrong, and what to
// do.
func failed(err error) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: clip(advised(err), 2000)}}}
}

// prose returns the answer that is a text of its own, and by how many characters it is
// too long.
func prose(text string) (a answer, over int, err error) {
	text = sanitize.Text(text)
	structured, err := jsonedit.Value(struct {
		Version int    `json:"version"`
		Text    string `json:"text"`
	}{1, text})
	return answer{text, structured}, max(0, utf8.RuneCount(structured)-maxAnswer), err
}

// shortProse returns the answer that is a text of its own. One that is too long is cut
// at a line; rest says how to get the rest.
func shortProse(text, rest string) (answer, error) {
	for n := maxAnswer; ; {
		a, over, err := prose(shorten(text, n, rest))
		if over == 0 || err != nil {
			return a, err
		}
		n = min(n-1, n*maxAnswer/(maxAnswer+over))
	}
}

// shorten is text, sanitized, cut at a line so that it has at most n characters,
// which it says.
func shorten(text string, n int, rest string) string {
	text = sanitize.Text(text)
	all := utf8.RuneCountInString(text)
	if all <= n {
		return text
	}
	word := fmt.Sprintf("\n[cut: about %d more characters; %s]\n", all-n, rest)
	runes := []rune(text)
	head := string(runes[:max(0, n-utf8.RuneCountInString(word))])
	if end := strings.LastIndexByte(head, '\n'); end > len(head)/2 {
		head = head[:end]
	}
	return head + word
}

// record is an answer about one thing: its headline, and what came of the change.
func record(headline string, item any, out engine.Outcome) (answer, error) {
	structured, err := jsonedit.Value(item)
	if err != nil {
		return answer{}, err
	}
	var lines strings.Builder
	lines.WriteString(clip(headline, 2500) + "\n")
	set := func(name string, v any) {
		value, fault := jsonedit.Value(v)
		if fault == nil {
			structured, fault = jsonedit.Set(structured, "/"+name, value)
		}
		if err == nil {
			err = fault
		}
	}
	if notes := notesOf(out); len(notes) > 0 {
		set("notes", notes)
		lines.WriteString("note: " + strings.Join(notes, "\nnote: ") + "\n")
	}
	if fired := firedOf(out); len(fired) > 0 {
		set("fired", fired)
		lines.WriteString("fired " + strings.Join(fired, ", ") + "\n")
	}
	changed := changedOf(out)
	set("changed", changed)
	if len(changed) == 0 {
		lines.WriteString("nothing had to change: it was there\n")
	}
	return answer{lines.String(), structured}, err
}

const (
	mostNames = 20
	shortName = 200 // characters
)

// notesOf is what a change has to say beside what it did, and which of the actions
// that it fired failed.
func notesOf(out engine.Outcome) (notes []string) {
	said := slices.Clone(out.Notes)
	for _, a := range out.Failed() {
		said = append(said, fmt.Sprintf("%s: failed: %v", a.Action, a.Err))
	}
	for _, n := range said[:min(len(said), mostNames)] {
		notes = append(notes, inline(n, shortName))
	}
	return notes
}

// firedOf are the triggers that a change fired.
func firedOf(out engine.Outcome) (fired []string) {
	for _, f := range out.Fired[:min(len(out.Fired), mostNames)] {
		fired = append(fired, inline(f.Trigger, shortName))
	}
	return fired
}

// changedOf are the documents that a change wrote.
func changedOf(out engine.Outcome) []string {
	changed := []string{}
	for _, ch := range out.Changes[:min(len(out.Changes), mostNames)] {
		changed = append(changed, clip(ch.Name, shortName))
	}
	return changed
}
