package memory_test

import (
	"iter"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/memory"
)

// A shelf reads files without a disk.
type shelf map[string]string

func (s shelf) Read(name string) ([]byte, error) {
	text, ok := s[name]
	if !ok {
		return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
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

func TestRender(t *testing.T) {
	const tasks = "# Notes\n\n## Active tasks\n"
	files := shelf{
		".forgemind/notes/note-1.json":                `{"id": "note-1", "note": "Measure", "agent": "ann", "created": "2026-01-01T10:00:00.500Z", "section": "Active tasks", "type": "task", "rationale": "Slow"}`,
		".forgemind/notes/note-2.json":                `{"id": "note-2", "note": "Buy", "agent": "ann", "created": "2026-01-02T10:00:00Z", "section": "Active tasks", "type": "task"}`,
		".forgemind/notes/note-2.updated-aaaaaa.json": `{"of": "note-2", "at": "2026-01-05T10:00:00Z", "set": {"note": "Buy two"}}`,
		".forgemind/notes/note-3.json":                `{"id": "note-3", "note": "Wait", "agent": "ann", "created": "2026-01-03T10:00:00Z", "section": "Active tasks", "type": "task"}`,
		".forgemind/notes/note-3.removed-bbbbbb.json": `{"of": "note-3", "at": "2026-01-05T10:00:00Z", "set": {"status": "removed"}}`,
		".forgemind/notes/note-4.json":                `{"id": "note-4", "note": "A session keeps this in mind", "created": "2026-01-04T10:00:00Z"}`,
		".forgemind/notes/note-5.json":                `{"id": "note-5", "note": "Of another agent", "agent": "bob", "created": "2026-01-04T10:00:00Z", "section": "Active tasks", "type": "task"}`,
		".forgemind/notes/note-6.json":                `{"id": "note-6", "note": "Of a type that is not known", "agent": "ann", "created": "2026-01-06T10:00:00Z", "section": "Later", "type": "later"}`,
		".forgemind/notes/note-7.json":                `{"id": `,
	}
	all, faults := memory.Records(files)
	if len(all) != 5 || len(faults) != 1 || faults[0].Name != ".forgemind/notes/note-7.json" {
		t.Fatalf("%d records, faults %v", len(all), faults)
	}
	const (
		one   = "- 2026-01-01T10:00:00Z Measure\n  - Rationale: Slow\n"
		two   = "- 2026-01-02T10:00:00Z Buy two\n"
		later = "\n## Later\n\n- 2026-01-06T10:00:00Z Of a type that is not known\n"
	)
	for _, c := range []struct{ name, src, want string }{
		{"nothing stands there", tasks, tasks + "\n" + one + two + later},
		{"everything stands there", tasks + "\n" + two + one + later, tasks + "\n" + two + one + later},
		{"one is missing", tasks + "\n- by hand\n" + two + later, tasks + "\n- by hand\n" + one + two + later},
		{"one says what it said before", tasks + "\n" + one + "- 2026-01-02T10:00:00Z Buy\n- by hand\n" + later, tasks + "\n" + one + "- by hand\n" + two + later},
		{"one was removed", tasks + "\n" + one + two + "- 2026-01-03T10:00:00Z Wait\n" + later, tasks + "\n" + one + two + later},
		{"somebody wrote the words of one that was removed", tasks + "\n" + one + two + "- Wait\n" + later, tasks + "\n" + one + two + "- Wait\n" + later},
		{"it was the only one", tasks + "\n- 2026-01-03T10:00:00Z Wait\n\n## Lessons\n", tasks + "\n" + one + two + "\n## Lessons\n" + later},
		{"with other marks", tasks + "\n* [ ] 2026-01-01 Measure\n* [x] Buy two\n" + later, tasks + "\n* [ ] 2026-01-01 Measure\n* [x] Buy two\n" + later},
		{"prose", "Prose.\n\n" + tasks + "More.\n", "Prose.\n\n" + tasks + "More.\n\n" + one + two + later},
	} {
		out, err := memory.Render([]byte(c.src), ".forgemind/memory/ann-notes.md", all)
		if err != nil || string(out) != c.want {
			t.Errorf("%s: %v\n%s", c.name, err, out)
		}
		if again, err := memory.Render(out, ".forgemind/memory/ann-notes.md", all); err != nil || string(again) != string(out) {
			t.Errorf("%s, a second time: %v\n%s", c.name, err, again)
		}
	}
}
