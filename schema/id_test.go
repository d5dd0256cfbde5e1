package schema_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/schema"
)

func TestNewID(t *testing.T) {
	for prefix, want := range map[string]string{
		"DEC-":             `^DEC-[0-9A-HJKMNP-TV-Z]{6}$`,
		"goal-":            `^goal-[0-9a-hjkmnp-tv-z]{6}$`,
		"conv-2026-11-20-": `^conv-2026-11-20-[0-9a-hjkmnp-tv-z]{6}$`,
	} {
		id, err := schema.NewID(prefix, rand.Reader, nil)
		if err != nil || !regexp.MustCompile(want).MatchString(id) || !schema.ValidID(id) {
			t.Errorf("%s: got %q, %v", prefix, id, err)
		}
	}
}

func TestAnIDThatIsTakenIsNotGivenAgain(t *testing.T) {
	var asked []string
	id, err := schema.NewID("DEC-", zeros{}, func(id string) bool {
		asked = append(asked, id)
		return len(asked) < 3
	})
	if want := []string{"DEC-000000", "DEC-0000000", "DEC-00000000"}; err != nil || id != want[2] || !slices.Equal(asked, want) {
		t.Errorf("got %q, %v after asking for %q", id, err, asked)
	}
	if id, err := schema.NewID("DEC-", zeros{}, func(string) bool { return true }); err == nil {
		t.Errorf("all are taken, and yet: %q", id)
	}
	if _, err := schema.NewID("DEC-", bytes.NewReader(nil), nil); !errors.Is(err, io.EOF) {
		t.Errorf("no randomness: %v", err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestDerivedID(t *testing.T) {
	a, b := schema.DerivedID("chunk-", []byte("abc")), schema.DerivedID("chunk-", []byte("abd"))
	if a != "chunk-trpzf1fa110y" || a == b || !schema.ValidID(a) {
		t.Errorf("got %q and %q", a, b)
	}
	if got := schema.DerivedID("DEC-", []byte("abc")); got != "DEC-"+strings.ToUpper(a[len("chunk-"):]) {
		t.Errorf("got %q", got)
	}
}

func TestValidID(t *testing.T) {
	for id, want := range map[string]bool{
		"DEC-001": true, "conv-2025-11-09-001": true, "L1-EXEC-001": true, "a": true, "_x": true, "v1.2": true,
		"": false, ".": false, "..": false, ".git": false, "-rf": false, "a/b": false, `a\b`: false, "a b": false,
		"a\x00": false, "é": false, "a\n": false,
	} {
		if got := schema.ValidID(id); got != want {
			t.Errorf("%q: %v", id, got)
		}
		doc := map[string]any{"id": id, "timestamp": "2026-11-20T09:30:00Z", "decision": "x"}
		if err := judge(t, "decision").Validate(doc); (err == nil) != want {
			t.Errorf("%q: the schema says otherwise: %v", id, err)
		}
	}
}

func TestLayers(t *testing.T) {
	for n, want := range schema.LayerNames() {
		if got, ok := schema.LayerName(n); !ok || got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	for _, n := range []int{-1, 6} {
		if got, ok := schema.LayerName(n); ok {
			t.Errorf("%d: %q", n, got)
		}
	}
	if got := strings.Join(schema.LayerNames(), " "); got != "IDEA MODULE DOMAIN REQUIREMENT SPECIFICATION CODE" {
		t.Error(got)
	}
}
