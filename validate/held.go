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

// A shownDecision is a decision in one document.
type shownDecision struct {
	name   string // of the document
	ledger bool
	id     string // "" if a view has none
	words  string
	raw    []byte // the entry of the view, or the file of the Ledger
	index  int    // of the entry in the view's list
}

// pointer returns the place of h in its document, or of its member with the ledger's
// name.
func (h shownDecision) pointer(name string) string {
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

// title returns the id of h, or its text if it has no id, for messages.
func (h shownDecision) title() string {
	if h.id != "" {
		return h.id
	}
	return h.words
}

// viewList returns the member that contains the decisions of a view, "" if the document
// is not a view.
func viewList(kind fs.Doc) string {
	switch kind {
	case fs.DocState:
		return "recent_decisions"
	case fs.DocHotContext:
		return "key_decisions"
	}
	return ""
}

// heldIn returns the decisions in a document; doc is used to parse it. A file of the
// ledger contains one even if it cannot be parsed: the one in its name.
func heldIn(doc *jsonedit.Doc, name string, src []byte) (out []shownDecision) {
	kind := fs.Place(name)
	err := doc.Parse(src)
	if kind == fs.DocDecision {
		h := shownDecision{name: name, ledger: true, raw: src, id: strings.TrimSuffix(path.Base(name), ".json")}
		if err == nil {
			id, words := decisionMembers(doc, 0)
			if s, _ := doc.Str(id); s != "" {
				h.id = s
			}
			h.words, _ = doc.Str(words)
		}
		return []shownDecision{h}
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
		h := shownDecision{name: name, raw: doc.Raw(e), index: index}
		h.id, _ = doc.Str(id)
		h.words, _ = doc.Str(words)
		if h.id != "" || h.words != "" {
			out = append(out, h)
		}
	}
	return out
}

// A memory holds every decision of a tree.
type memory struct {
	all     []shownDecision
	ids     map[string][]shownDecision
	words   map[string]bool
	sources map[string][]byte // the files of the Ledger

	doc jsonedit.Doc
}

func newMemory() *memory {
	return &memory{ids: map[string][]shownDecision{}, words: map[string]bool{}, sources: map[string][]byte{}}
}

func (m *memory) add(list ...shownDecision) {
	for _, h := range list {
		m.all = append(m.all, h)
		m.words[h.words] = true
		if h.id != "" {
			m.ids[h.id] = append(m.ids[h.id], h)
		}
	}
}

// recorded returns the files of the ledger that contain a decision, by its id, or by
// its words if it has none.
func (m *memory) recorded(h shownDecision) []shownDecision {
	return m.matching(h, func(n shownDecision) bool { return n.ledger })
}

// inView returns the entries in the view of h that are the same decision.
func (m *memory) inView(h shownDecision) []shownDecision {
	return m.matching(h, func(n shownDecision) bool { return n.name == h.name })
}

// matching returns the decisions for which where is true and that are the same as h, by
// its id, or by its words if it has none.
func (m *memory) matching(h shownDecision, where func(shownDecision) bool) (found []shownDecision) {
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

// remember reads every decision below dir; "." means the whole tree.
func (m *memory) remember(r fs.Reader, dir string) error {
	for name, err := range r.Names(dir) {
		if err != nil {
			return err
		}
		kind := fs.Place(name)
		if kind != fs.DocDecision && viewList(kind) == "" {
			continue
		}
		src, err := r.Read(name)
		if errors.Is(err, iofs.ErrNotExist) || errors.Is(err, fs.ErrIrregular) || errors.Is(err, fs.ErrTooLarge) {
			continue // validation of the tree reports it
		}
		if err != nil {
			return err
		}
		if kind == fs.DocDecision {
			m.sources[name] = src
		}
		m.add(heldIn(&m.doc, name, src)...)
	}
	return nil
}
