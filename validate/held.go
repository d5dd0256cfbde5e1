package validate

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A held is a decision as one document holds it.
type held struct {
	name   string // of the document
	ledger bool
	id     string // "" where a view has none
	words  string
	raw    []byte // the entry of the view, or the file of the Ledger
	index  int    // of the entry in the view's list
}

// pointer returns where h stands in its document, or its member that the ledger
// calls name.
func (h held) pointer(name string) string {
	at := ""
	if !h.ledger {
		at = fmt.Sprintf("/%s/%d", viewList(fs.Place(h.name)), h.index)
	}
	if doc, err := jsonedit.Parse(h.raw); err == nil && name != "" {
		if m := memberOf(doc, name); m >= 0 {
			at += doc.Pointer(m)
		}
	}
	return at
}

// title is how messages call it: by its id, else by its words.
func (h held) title() string {
	if h.id != "" {
		return h.id
	}
	return h.words
}

// viewList is the member that holds the decisions of a view; "" for what is no
// view.
func viewList(kind fs.Doc) string {
	switch kind {
	case fs.DocState:
		return "recent_decisions"
	case fs.DocHotContext:
		return "key_decisions"
	}
	return ""
}

// heldIn returns the decisions that a document holds; doc is used to parse it. A file
// of the Ledger holds one even where it can't be parsed: the one it is named
// after.
func heldIn(doc *jsonedit.Doc, name string, src []byte) (out []held) {
	kind := fs.Place(name)
	err := doc.Parse(src)
	if kind == fs.DocDecision {
		h := held{name: name, ledger: true, raw: src, id: strings.TrimSuffix(path.Base(name), ".json")}
		if err == nil {
			id, words := decisionMembers(doc, 0)
			if s, _ := doc.Str(id); s != "" {
				h.id = s
			}
			h.words, _ = doc.Str(words)
		}
		return []held{h}
	}
	list := viewList(kind)
	if kind == fs.DocSnapshot {
		list = viewList(fs.DocState)
	}
	if list == "" || err != nil {
		return nil
	}
	index := -1
	for e := range doc.Children(doc.Member(0, list)) {
		index++
		id, words := decisionMembers(doc, e)
		h := held{name: name, raw: doc.Raw(e), index: index}
		h.id, _ = doc.Str(id)
		h.words, _ = doc.Str(words)
		if h.id != "" || h.words != "" {
			out = append(out, h)
		}
	}
	return out
}

// A memory is every decision that a tree holds.
type memory struct {
	all     []held
	ids     map[string][]held
	words   map[string]bool
	sources map[string][]byte // the files of the Ledger

	doc jsonedit.Doc
}

func newMemory() *memory {
	return &memory{ids: map[string][]held{}, words: map[string]bool{}, sources: map[string][]byte{}}
}

func (m *memory) add(list ...held) {
	for _, h := range list {
		m.all = append(m.all, h)
		m.words[h.words] = true
		if h.id != "" {
			m.ids[h.id] = append(m.ids[h.id], h)
		}
	}
}

// recorded returns the files of the Ledger that hold a decision: by its id, or by
// its words where it has none.
func (m *memory) recorded(h held) []held {
	return m.matching(h, func(n held) bool { return n.ledger })
}

// inView returns the entries of the view of h that are h.
func (m *memory) inView(h held) []held {
	return m.matching(h, func(n held) bool { return n.name == h.name })
}

// matching returns the decisions for which where holds and that are h: by its id,
// or by its words where it has none.
func (m *memory) matching(h held, where func(held) bool) (found []held) {
	if h.id == "" && !m.words[h.words] {
		return nil
	}
	list := m.all
	if h.id != "" {
		list = m.ids[h.id]
	}
	for _, n := range list {
		if where(n) && (h.id != "" || n.words == h.words) {
			found = append(found, n)
		}
	}
	return found
}

// remember reads every decision below dir; where dir is "." those of the whole
// tree.
func (m *memory) remember(r fs.Reader, dir string) error {
	names, _ := documents(r, dir)
	for _, n := range names {
		if n.err != nil {
			return n.err
		}
		name := n.name
		kind := fs.Place(name)
		if kind != fs.DocDecision && viewList(kind) == "" {
			continue
		}
		src, err := r.Read(name)
		if errors.Is(err, iofs.ErrNotExist) || errors.Is(err, fs.ErrIrregular) || errors.Is(err, fs.ErrTooLarge) {
			continue // judging the tree says what is wrong with it
		}
		if err != nil {
			return err
		}
		list := heldIn(&m.doc, name, src)
		if kind == fs.DocDecision {
			m.sources[name] = src
			if path.Base(name) != list[0].id+".json" {
				continue // it is the record of no decision
			}
		}
		m.add(list...)
	}
	return nil
}
