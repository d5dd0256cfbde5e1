package validate

import (
	"fmt"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// A held is a decision as one document holds it.
type held struct {
	name   string // of the document
	ledger bool
	id     string // "" where a view has none
	record string // the id by which the Ledger has it, or takes it in; "" for no decision
	words  string
	at     string // its timestamp

	counted bool   // the id is one of a program that counts, and may take it again
	raw     []byte // the entry of the view, or the file of the Ledger
	index   int    // of the entry in the view's list
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

// isOther reports whether h and o are two decisions that have one id; see [schema.TakenAgain].
func (h held) isOther(o held) bool {
	return (h.counted || o.counted) && schema.TakenAgain(h.record, h.words, h.at, o.words, o.at)
}

// ownID returns the id by which the Ledger has the decision if another one has its id.
func (h held) ownID() string { return schema.OwnID(records.Decision.Prefix, h.record, h.at, h.words) }

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
			h.at, _ = doc.Str(doc.Member(0, "timestamp"))
		}
		h.record = h.id
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
		h.counted = id >= 0 && doc.Key(id) == "decision_id" && schema.CanBeTaken(h.id)
		h.words, _ = doc.Str(words)
		h.at, _ = doc.Str(doc.Member(e, "timestamp"))
		if h.record = h.id; h.words != "" {
			h.record = schema.AdoptedID(h.id, h.at, h.words)
		}
		if h.id != "" || h.words != "" {
			out = append(out, h)
		}
	}
	return out
}
