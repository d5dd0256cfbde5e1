package lsp

import (
	"bytes"
	"iter"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// things holds the things of a tree that have an id, as they were read last.
type things struct {
	list  []query.Thing
	byID  map[string]*query.Thing
	stale bool // a document changed since
	at    time.Time
	took  time.Duration
}

// thingsAge is the time for which things are used without looking at the tree. Programs other than
// the editor change trees, and not every editor tells of it.
const thingsAge = time.Second

// thingsOf returns the things of a tree, none if it cannot be opened.
func (s *server) thingsOf(root string) things {
	s.mu.Lock()
	last := s.project(root).things
	s.mu.Unlock()
	age := time.Since(last.at)
	if last.byID != nil && age < max(thingsAge, 20*last.took) && (!last.stale || age < 2*last.took) {
		return last
	}
	tree, err := fs.Open(root)
	if err != nil {
		return things{}
	}
	defer tree.Close()
	tree.DryRun, tree.Date = true, s.Now
	views.AttachBriefly(tree)
	start := time.Now()
	now := things{list: query.Things(tree, nil), byID: map[string]*query.Thing{}, at: start}
	for i := range now.list {
		t := &now.list[i]
		if t.Kind == "decision" && t.File == "" {
			t.File, _, _ = ledger.Find(tree, t.ID) // without a file it has no place
		}
		for _, id := range []string{t.ID, t.Alias} {
			if _, known := now.byID[id]; id != "" && !known {
				now.byID[id] = t
			}
		}
	}
	now.took = time.Since(start)
	s.mu.Lock()
	s.project(root).things = now
	s.mu.Unlock()
	return now
}

// A word is a part of a text that may be an id.
type word struct {
	id         string
	start, end int // offsets in bytes
}

// words yields the words of a text.
func words(src []byte) iter.Seq[word] {
	return func(yield func(word) bool) {
		for at := 0; at < len(src); at++ {
			if !isIDByte(src[at]) {
				continue
			}
			w := word{start: at}
			for at < len(src) && isIDByte(src[at]) {
				at++
			}
			text := bytes.TrimRight(src[w.start:at], ".-")
			w.end = w.start + len(text)
			if w.id = string(text); w.id != "" && !yield(w) {
				return
			}
		}
	}
}

// wordAt returns the word at an offset of a document.
func (d *document) wordAt(offset int) (word, bool) {
	start := offset
	for start > 0 && isIDByte(d.src[start-1]) {
		start--
	}
	for w := range words(d.src[start:]) {
		w.start, w.end = w.start+start, w.end+start
		return w, w.start <= offset && offset <= w.end
	}
	return word{}, false
}

// isIDByte reports whether an id may contain a byte.
func isIDByte(b byte) bool {
	return b < 0x80 && schema.ValidID("_"+string(rune(b)))
}
