package mcp

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/present"
	"github.com/forgemind/forgemind/internal/sanitize"
)

// maxAnswer is the largest size of a result, text and structured content together, in characters.
const maxAnswer = 10_000

// An answer is the result of a tool before it is encoded.
type answer struct {
	text       string
	structured []byte // JSON; nil if there is only the text
}

// result returns the answer in the form of the protocol.
func (a answer) result() *sdk.CallToolResult {
	r := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: sanitize.Text(a.text)}}}
	if a.structured != nil {
		structured, err := sanitize.JSON(a.structured)
		if err != nil {
			return failed(err)
		}
		r.StructuredContent = raw(structured)
	}
	return r
}

// A raw is JSON that is written unchanged.
type raw []byte

func (r raw) MarshalJSON() ([]byte, error) { return r, nil }

// failed returns the result of a tool call that failed: the error and a hint. The kind of the
// error is in the metadata.
func failed(err error) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Meta: sdk.Meta{"kind": present.ProblemOf(err).Kind}, Content: []sdk.Content{&sdk.TextContent{Text: clip(advised(err), 2000)}}}
}

// prose returns an answer that is a text only. A text that is too long is cut at a line; rest is the
// hint how to get the rest.
func prose(text, rest string) answer {
	return answer{text: shorten(text, maxAnswer, rest)}
}

// shorten returns text sanitized and cut at a line to at most n characters. A cut text ends with a
// remark and rest.
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

// record returns an answer about one item: a headline, and the results of the change.
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

// notesOf returns the remarks about a change, including the fired actions that failed.
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

// firedOf returns the triggers that a change fired.
func firedOf(out engine.Outcome) (fired []string) {
	for _, f := range out.Fired[:min(len(out.Fired), mostNames)] {
		fired = append(fired, inline(f.Trigger, shortName))
	}
	return fired
}

// changedOf returns the documents that a change wrote.
func changedOf(out engine.Outcome) []string {
	changed := []string{}
	for _, ch := range out.Changes[:min(len(out.Changes), mostNames)] {
		changed = append(changed, clip(ch.Name, shortName))
	}
	return changed
}
