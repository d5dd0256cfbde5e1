package session_test

import (
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/validate"
)

func TestNewSessionIsValid(t *testing.T) {
	documents, err := session.New("conv-2026-11-20-000000", time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	for name, src := range documents {
		if fs.Place(name) == fs.NoDoc {
			t.Errorf("%s: no document stands there", name)
		}
		for _, f := range validate.Bytes(name, src, validate.Options{}) {
			t.Errorf("%s:%d:%d: %s [%s]\n%s", name, f.Line, f.Column, f.Message, f.Rule, src)
		}
	}
	if got := string(documents[fs.ActiveSession]); got != "conv-2026-11-20-000000\n" {
		t.Errorf("the active session is %q", got)
	}
}

func TestNewSessionNeedsAnID(t *testing.T) {
	for _, id := range []string{"", "../x", "a/b", "a b"} {
		if documents, err := session.New(id, time.Now()); err == nil {
			t.Errorf("%q: got %d documents", id, len(documents))
		}
	}
}
