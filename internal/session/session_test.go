package session_test

import (
	iofs "io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
)

// shelf is a tree without a disk: names and their texts.
type shelf map[string]string

func (s shelf) Read(name string) ([]byte, error) {
	text, ok := s[name]
	if !ok {
		return nil, &iofs.PathError{Op: "open", Path: name, Err: iofs.ErrNotExist}
	}
	return []byte(text), nil
}

func (s shelf) Names(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range slices.Sorted(maps.Keys(s)) {
			if strings.HasPrefix(name, dir+"/") && !yield(name, nil) {
				return
			}
		}
	}
}

func TestActive(t *testing.T) {
	for text, want := range map[string]string{"conv-1\n": "conv-1", " conv-1 \r\n": "conv-1", "": "", "\n": ""} {
		if id, err := session.Active(shelf{fs.ActiveSession: text}); err != nil || id != want {
			t.Errorf("%q: %q, %v", text, id, err)
		}
	}
	for _, text := range []string{"../../etc", "a/b", "two words", "\xff"} {
		if id, err := session.Active(shelf{fs.ActiveSession: text}); err == nil {
			t.Errorf("%q: %q", text, id)
		}
	}
	if id, err := session.Active(shelf{}); err != nil || id != "" {
		t.Errorf("without the file: %q, %v", id, err)
	}
}

func TestIndexIsMadeOfTheMetadata(t *testing.T) {
	meta := func(id, started string) string {
		return "{\n  \"session_id\": \"" + id + "\",\n  \"started\": \"" + started + "\"}"
	}
	all := shelf{
		fs.Sessions + "/c-2/metadata.json":    meta("c-2", "2026-03-02T09:00:00Z"),
		fs.Sessions + "/c-1/metadata.json":    meta("c-1", "2026-03-02T09:00:00Z"),
		fs.Sessions + "/c-9/metadata.json":    meta("c-9", "2026-03-01T09:00:00Z"),
		fs.Sessions + "/c-3/metadata.json":    `{"started": "2026-03-03T09:00:00Z"}`,
		fs.Sessions + "/c-4/metadata.json":    "{",
		fs.Sessions + "/c-1/hot_context.json": "{}",
		fs.SessionIndex:                       "stale\n",
	}
	index, err := session.Index(all)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for line := range strings.Lines(string(index)) {
		if !strings.HasPrefix(line, "{") || !strings.HasSuffix(line, "}\n") {
			t.Errorf("no line of its own: %q", line)
		}
		for _, id := range []string{"c-1", "c-2", "c-3", "c-4", "c-9"} {
			if strings.Contains(line, `"`+id+`"`) {
				ids = append(ids, id)
			}
		}
	}
	if got := strings.Join(ids, " "); got != "c-9 c-1 c-2 c-3" {
		t.Errorf("got %s\n%s", got, index)
	}
	if index, err := session.Index(shelf{}); err != nil || index != nil {
		t.Errorf("without sessions: %q, %v", index, err)
	}
}

// squeeze drops the layout of a JSON text.
func squeeze(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, ": ", ":")), "")
}
