package views_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	iofs "io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/views"
)

// files is a tree in memory.
type files map[string]string

func (f files) Read(name string) ([]byte, error) {
	text, ok := f[name]
	if !ok {
		return nil, iofs.ErrNotExist
	}
	return []byte(text), nil
}

func (f files) Names(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range slices.Sorted(maps.Keys(f)) {
			if strings.HasPrefix(name, dir+"/") && !yield(name, nil) {
				return
			}
		}
	}
}

const hot = ".quaid/context/sessions/conv-1/hot_context.json"

var skeletons = map[string]string{
	fs.State: `{"project": {"name": "x", "layer_name": "IDEA"}, "pending_actions": [], "open_questions": [{"id": "Q-OLD", "question": "Was here before?"}], "mine": 1}`,
	hot:      `{"active_goals": [{"goal": "Was here before", "tag": 7}], "important_constraints": ["Be kind"]}`,
}

// recordsOnly are views of trees whose facts stand in records alone.
var recordsOnly = map[string]string{
	fs.State: `{"metadata": {"session_id": "s"}, "project": {"name": "x", "layer_name": "IDEA"}, "pending_actions": [], "mine": 1}`,
	hot:      `{"active_goals": [], "tag": 7}`,
}

// someFiles draws records and changes of them, and of them those that were there before.
func someFiles(t *rapid.T) (before, now files) {
	before, now = files{}, files{}
	add := func(name, text string) {
		now[name] = text
		if rapid.Bool().Draw(t, "before") {
			before[name] = text
		}
	}
	kinds := []struct{ dir, prefix, text string }{
		{"questions", "Q-", "question"}, {"actions", "ACT-", "action"}, {"goals", "goal-", "goal"}, {"constraints", "con-", "constraint"}, {"notes", "note-", "note"},
	}
	statuses := []string{"pending", "in-progress", "answered", "done", "removed", "canceled"}
	for _, k := range kinds {
		for i := range rapid.IntRange(0, 4).Draw(t, k.dir) {
			id := fmt.Sprint(k.prefix, i)
			relation := ""
			switch k.dir {
			case "questions":
				relation = fmt.Sprintf(`, "blocking": ["ACT-%d"]`, rapid.IntRange(0, 5).Draw(t, "blocking"))
			case "actions":
				relation = fmt.Sprintf(`, "blocked_by": "Q-%d"`, rapid.IntRange(0, 5).Draw(t, "blocked by"))
			}
			name := fmt.Sprintf(".forgemind/%s/%s", k.dir, id)
			add(name+".json", fmt.Sprintf(`{"id": "%s", "%s": "text %d", "created": "2026-01-0%d"%s}`, id, k.text, i, i+1, relation))
			if _, there := before[name+".json"]; !there {
				continue // a change comes with its record
			}
			for c := range rapid.IntRange(0, 2).Draw(t, "changes") {
				add(fmt.Sprintf("%s.updated-c%d.json", name, c), fmt.Sprintf(`{"of": "%s", "set": {"status": "%s", "x": %d}}`, id, rapid.SampledFrom(statuses).Draw(t, "status"), c))
			}
		}
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "progress") {
		add(fmt.Sprintf("%s/2026010%dT000000000Z-p%d.json", fs.Progress, i, i), fmt.Sprintf(`{"of": "project", "at": "2026-01-0%dT00:00:00Z", "set": {"clarity": %d, "progress/1": {"clarity": %d}, "/role": {"agent": "a"}}}`, i+1, i, i))
	}
	return before, now
}

func render(t *rapid.T, name string, src []byte, f files) []byte {
	facts, faults := views.Read(f)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	text, err := views.Render(name, src, nil, facts)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A rendering that is read back is no change: not the same one, not one of other records
// (before a pull, after a checkout), not one in another layout or another order.
func TestRenderingReadBackIsNoChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, now := someFiles(t)
		documents := skeletons
		if config := rapid.SampledFrom([]string{"", `{"format": 2}`, `{"format": 2, "views": "tracked"}`}).Draw(t, "config"); config != "" {
			before[fs.Config], now[fs.Config], documents = config, config, recordsOnly
		}
		facts, _ := views.Read(now)
		for name, skeleton := range documents {
			old := render(t, name, []byte(skeleton), before)
			text := render(t, name, old, now)
			if twice := render(t, name, text, now); !bytes.Equal(text, twice) {
				t.Fatalf("%s rendered twice:\n%s\nonce:\n%s", name, twice, text)
			}
			for what, base := range map[string][]byte{"the same": text, "of other records": old} {
				check(t, what, views.Document{Name: name, Before: base, After: text}, facts)
			}
			for what, laidOut := range layouts(t, text) {
				check(t, what, views.Document{Name: name, Before: text, After: laidOut}, facts)
				if again := render(t, name, laidOut, now); !bytes.Equal(again, laidOut) {
					t.Fatalf("%s, %s, is rendered as\n%s\nfrom\n%s", name, what, again, laidOut)
				}
			}
			check(t, "another order", views.Document{Name: name, Before: text, After: reversed(t, text)}, facts)
		}
	})
}

// layouts returns a document in layouts that editors and programs give it.
func layouts(t *rapid.T, src []byte) map[string][]byte {
	all := map[string][]byte{}
	for what, indent := range map[string]string{"2 spaces": "  ", "4 spaces": "    ", "tabs": "\t"} {
		var text bytes.Buffer
		if err := json.Indent(&text, bytes.TrimSpace(src), "", indent); err != nil {
			t.Fatal(err)
		}
		all[what] = text.Bytes()
	}
	all["with a line ending"] = append(bytes.Clone(all["2 spaces"]), '\n')
	all["with CRLF"] = bytes.ReplaceAll(all["with a line ending"], []byte("\n"), []byte("\r\n"))
	var members map[string]any
	if err := json.Unmarshal(src, &members); err != nil {
		t.Fatal(err)
	}
	sorted, err := json.Marshal(members) // by a program that keeps no order
	if err != nil {
		t.Fatal(err)
	}
	all["sorted, in one line"] = sorted
	return all
}

func check(t *rapid.T, what string, d views.Document, facts *views.Facts) {
	edits := views.Compare([]views.Document{d}, facts)
	if len(edits) > 0 {
		t.Fatalf("%s, %s: %+v\nbefore %s\nafter %s", d.Name, what, edits, d.Before, d.After)
	}
	if e := views.CompareProject(d, facts); len(e.Set) > 0 || len(e.Restored) > 0 || e.New != nil && facts.Project().Exists() {
		t.Fatalf("%s, %s: %+v", d.Name, what, e)
	}
	if ignored := views.IgnoredIn([]views.Document{d}, facts); len(ignored) > 0 {
		t.Fatalf("%s, %s: not taken over: %+v", d.Name, what, ignored)
	}
}

// reversed returns a document with each of its lists in the opposite order.
func reversed(t *rapid.T, src []byte) []byte {
	var all map[string]any
	if err := jsonedit.Decode(src, &all); err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		if list, ok := v.([]any); ok {
			slices.Reverse(list)
		}
	}
	text, err := jsonedit.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
