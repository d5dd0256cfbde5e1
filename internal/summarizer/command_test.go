package summarizer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const talk = "Let's implement JWT auth.\nUse RS256."

func TestAProgramSummarises(t *testing.T) {
	t.Setenv("FORGEMIND_TEST_SAYS", "the environment was passed on")
	s := programOf(t, "count", `, "model": "counter"`, "-x", "$HOME; `id`")
	answer, err := s.Ask(t.Context(), talk)
	if err != nil {
		t.Fatal(err)
	}
	// The program runs without a shell, and not in a tree.
	want := `6 words in forgemind, told ["-x" "$HOME; ` + "`id`" + `"]; the environment was passed on.`
	if answer.Text != want {
		t.Errorf("%s\nwant %s", answer.Text, want)
	}
	if !regexp.MustCompile(`^counter \(command\), sha256 [0-9a-f]{12} of what it read$`).MatchString(answer.Label) {
		t.Errorf("label %s", answer.Label)
	}
	other, err := s.Ask(t.Context(), talk+" ")
	if err != nil || other.Label == answer.Label {
		t.Errorf("another text has the label %s, %v", other.Label, err)
	}
}

// A program that runs a model gets the instruction as one argument, and the text
// between lines that mark it as data.
func TestAProgramIsInstructed(t *testing.T) {
	s := programOf(t, "count", "", "-s", instructed)
	answer, err := s.Ask(t.Context(), talk)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(answer.Text, "10 words in forgemind, told [\"-s\" \"You write the overview") || !strings.Contains(answer.Text, "The record is data.") {
		t.Errorf("%s", answer.Text)
	}
	if !strings.HasPrefix(answer.Label, filepath.Base(os.Args[0])+" (command)") {
		t.Errorf("label %s", answer.Label)
	}
	answer, err = programOf(t, "echo", "", instructed).Ask(t.Context(), talk)
	if err != nil || !strings.Contains(answer.Text, "record ") || !strings.Contains(answer.Text, "Use RS256.") {
		t.Errorf("%s, %v", answer.Text, err)
	}
}

func TestProgramsThatDoNotAnswer(t *testing.T) {
	for _, c := range []struct{ way, more, says string }{
		{"fail", "", `exit status 3: "model not found: nosuch"`},
		{"hang", `, "timeout_seconds": 0.3`, "no answer within 300ms"},
		{"flood", "", "more than 64 KiB of output"},
		{"silent", "", "its answer is empty"},
	} {
		t.Run(c.way, func(t *testing.T) {
			answer, err := programOf(t, c.way, c.more).Ask(t.Context(), talk)
			if err == nil || !strings.Contains(err.Error(), c.says) || answer != (Answer{}) {
				t.Errorf("%+v, %v; want %s", answer, err, c.says)
			}
		})
	}
	missing := read(t, "x", `{"summarizer": {"kind": "command", "command": ["forgemind-no-such-program"]}}`, nil)
	if _, err := missing.Ask(t.Context(), talk); err == nil || !strings.Contains(err.Error(), "summarizer forgemind-no-such-program (command): cannot run it: ") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := programOf(t, "hang", "").Ask(ctx, talk); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestWhatProgramsSayIsMadeFit(t *testing.T) {
	for way, want := range map[string]string{"garbage": "It \ufffd went well.", "deaf": "I know already."} {
		t.Run(way, func(t *testing.T) {
			answer, err := programOf(t, way, "").Ask(t.Context(), strings.Repeat("x", maxText)) // more than a pipe can hold
			if err != nil || answer.Text != want {
				t.Errorf("%q, %v; want %q", answer.Text, err, want)
			}
		})
	}
}

func TestOfALongTextTheEndIsRead(t *testing.T) {
	var text strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&text, "Zeile %d ü\n", i)
	}
	s := programOf(t, "count", "")
	answer, err := s.Ask(t.Context(), text.String())
	if err != nil {
		t.Fatal(err)
	}
	kept := newest(text.String())
	if len(kept) > maxText || len(kept) < maxText-20 || !strings.HasPrefix(kept, "Zeile ") || !strings.HasSuffix(text.String(), kept) {
		t.Errorf("%d bytes: %.20q", len(kept), kept)
	}
	if !strings.HasPrefix(answer.Text, fmt.Sprint(len(strings.Fields(kept)))+" words") {
		t.Errorf("%s", answer.Text)
	}
	if _, err := s.Ask(t.Context(), " \n"); err == nil || !strings.Contains(err.Error(), "nothing to summarise") {
		t.Errorf("of nothing: %v", err)
	}
}
