package condense

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/transcript"
)

// TestImportGrows takes a growing export in, again and again: each message is
// there once, whatever parts of it come in whatever order.
func TestImportGrows(t *testing.T) {
	slack := func(from, to int) []byte {
		var all []string
		for n := from; n < to; n++ {
			thread := ""
			if n%3 > 0 {
				thread = fmt.Sprintf(`"thread_ts": "%d.0", `, 1795160000+n/3*3)
			}
			all = append(all, fmt.Sprintf(`{"ts": "%d.0", %s"user": "U%d", "text": "message %d"}`, 1795160000+n, thread, n%2, n))
		}
		return []byte("[" + strings.Join(all, ",\n") + "]")
	}
	tree := threadTree(t, nil)
	take := func(src []byte) (done Imported) {
		e, err := transcript.ReadExport(src, transcript.ExportOptions{Channel: "garden"})
		if err != nil {
			t.Fatal(err)
		}
		staged(t, tree, func(tx *fs.Tx) (err error) {
			done, err = Import(tx, fs.Forgemind, e, "garden", admitting(3))
			return err
		})
		return done
	}
	if done := take(slack(6, 12)); done.Added != 6 || len(done.Threads) != 2 {
		t.Errorf("first: %+v", done)
	}
	if done := take(slack(6, 12)); done.Added != 0 || done.Skipped != 6 || done.Edited != 0 {
		t.Errorf("again: %+v", done)
	}
	staged(t, tree, func(tx *fs.Tx) error { _, err := ResolveThread(tx, "message 6", "Manager", noon); return err })
	if done := take(slack(0, 18)); done.Added != 12 || done.Skipped != 6 {
		t.Errorf("longer: %+v", done)
	}
	all, faults, err := Threads(tree)
	if err != nil || len(faults) > 0 || len(all) != 6 || all[0].Title != "message 0" || all[0].Messages != 3 || len(all[0].Participants) != 2 {
		t.Errorf("the threads are %+v, %v, %v", all, faults, err)
	}
	if known, err := FindThread(tree, "message 6"); err != nil || known.Status != Resolved {
		t.Errorf("a thread that was there is %+v, %v", known, err)
	}
}

// TestImportLong takes in what a record cannot hold in one piece, twice.
func TestImportLong(t *testing.T) {
	tree := threadTree(t, nil)
	src := []byte(`{"guild": {}, "messages": [{"id": "1", "timestamp": "2026-02-15T10:00:00Z", "content": "` + strings.Repeat("words and more ", 150_000) + `"}]}`)
	e, err := transcript.ReadExport(src, transcript.ExportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, added := range []int{1, 0} {
		var done Imported
		staged(t, tree, func(tx *fs.Tx) (err error) {
			done, err = Import(tx, fs.Forgemind, e, "a", admitting(1))
			return err
		})
		if done.Added != added || done.Edited > 0 {
			t.Errorf("%+v", done)
		}
	}
	messages, _, err := Talk(tree, channelTalk(fs.Forgemind, "a"))
	if err != nil || len(messages) != 1 || messages[0].Content != e.Talks[0].Messages[0].Content {
		t.Errorf("%d messages, %v", len(messages), err)
	}
}
