package brief

import (
	"cmp"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/acted"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// Records are what a tree holds of what a Brief tells.
type Records struct {
	State     schema.State
	Session   string            // the active one; "" for none
	Last      string            // where none is, the latest one, see session.InForce
	Hot       schema.HotContext // of the one or the other
	Decisions []schema.Decision // of the Ledger, and after them those that only a view shows
	Standing  schema.Standing   // of them and of proposals
	Proposed  []schema.Decision // that wait to be accepted
	Due       []acted.Due       // effects that wait to be asked for
	Concluded int               // threads that came to a conclusion which is not condensed
	Faults    []string          // what could not be read

	// Mine says which decisions belong here; nil: all.
	Mine func(*schema.Decision) bool

	ledger ledgerRead
}

// Read reads what a tree holds. What cannot be read is a fault.
func Read(r fs.Reader) Records { return read(r, ledgerRead{}) }

// Again reads what the tree that rec was read from a moment ago holds now. It reads the Ledger
// only if files were added to it since, or removed.
func (rec *Records) Again(r fs.Reader) Records { return read(r, rec.ledger) }

func read(r fs.Reader, before ledgerRead) Records {
	rec := Records{ledger: before, Due: acted.ReadDue(r).Due, Concluded: len(acted.ReadDiscussions(r).Concluded)}
	shownIn := []string{fs.State}
	if src := rec.read(r, fs.State); src != nil {
		var err error
		if rec.State, err = stateIn(src); err != nil {
			rec.fault(fs.State, src, err)
		}
	}
	id, active, err := session.InForce(r)
	rec.failed(err)
	if id != "" {
		shownIn = append(shownIn, session.HotContext(id))
		if src := rec.read(r, session.HotContext(id)); src != nil {
			if active {
				rec.Session = id
			} else {
				rec.Last = id
			}
			var err error
			if rec.Hot, err = hotIn(src); err != nil {
				rec.fault(session.HotContext(id), src, err)
			}
		}
	}
	if id == "" {
		rec.Hot, err = views.Project(r)
		rec.failed(err)
	}
	rec.decide(r, shownIn)
	_, faults := views.Read(r)
	names := make([]string, len(faults))
	for i, f := range faults {
		names[i] = f.Name
	}
	rec.unread("record", names)
	return rec
}

// Told is the session whose hot context is told; "" for none.
func (rec *Records) Told() string { return cmp.Or(rec.Session, rec.Last) }

// failed names what went wrong, if anything did.
func (rec *Records) failed(err error) {
	if err != nil {
		rec.Faults = append(rec.Faults, err.Error())
	}
}

// read is what stands at name; nil where there is nothing to be had.
func (rec *Records) read(r fs.Reader, name string) []byte {
	src, err := r.Read(name)
	switch {
	case errors.Is(err, iofs.ErrNotExist):
		return nil
	case err != nil:
		rec.Faults = append(rec.Faults, fmt.Sprintf("%s cannot be read: %v", name, err))
		return nil
	}
	return src
}

// fault names what is wrong in a document.
func (rec *Records) fault(name string, src []byte, err error) {
	var syntax *jsonedit.SyntaxError
	if errors.As(err, &syntax) {
		line, _, _ := jsonedit.Position(src, min(syntax.Offset, len(src)))
		rec.Faults = append(rec.Faults, fmt.Sprintf("%s:%d cannot be read: %s", name, line, syntax.Msg))
		return
	}
	rec.Faults = append(rec.Faults, fmt.Sprintf("%s cannot be read as a whole: %v", name, err))
}

// unread names the files that are none of a kind.
func (rec *Records) unread(kind string, names []string) {
	switch len(names) {
	case 0:
	case 1:
		rec.Faults = append(rec.Faults, fmt.Sprintf("%s is no %s that can be read", names[0], kind))
	default:
		rec.Faults = append(rec.Faults, fmt.Sprintf("%d files are no %ss that can be read, such as %s", len(names), kind, names[0]))
	}
}

// decide reads the decisions.
func (rec *Records) decide(r fs.Reader, shownIn []string) {
	rec.ledger.read(r)
	only, err := views.OnlyShown(r, shownIn...)
	if err != nil {
		rec.Faults = append(rec.Faults, fmt.Sprintf("the Ledger cannot be read: %v", err))
	}
	names := make([]string, len(rec.ledger.faults))
	for i, f := range rec.ledger.faults {
		names[i] = f.Name
	}
	rec.unread("decision", names)
	rec.Decisions = append(slices.Clip(rec.ledger.all), only...)
	all := rec.Decisions
	if len(rec.ledger.proposed) > 0 {
		all = slices.Concat(all, rec.ledger.proposed)
	}
	rec.Standing = schema.Current(all)
	rec.Proposed = rec.Standing.Proposed()
}

// stateIn is the State that src holds, as far as it can be read.
func stateIn(src []byte) (s schema.State, err error) {
	doc, err := jsonedit.Parse(src) // which bounds what a stranger's text may cost
	if err != nil {
		return s, err
	}
	if err = jsonedit.Decode(src, &s); err == nil {
		return s, nil
	}
	s = schema.State{}
	_ = decode(doc, "/metadata", &s.Metadata) // what cannot be read of it stays empty
	_ = decode(doc, "/project", &s.Project)
	s.PendingActions = legible[schema.Action](doc, "/pending_actions")
	s.OpenQuestions = legible[schema.Question](doc, "/open_questions")
	return s, err
}

// hotIn is the hot context that src holds, as far as it can be read.
func hotIn(src []byte) (schema.HotContext, error) {
	var whole schema.HotContext
	if _, err := jsonedit.Parse(src); err != nil { // which bounds what a stranger's text may cost
		return whole, err
	}
	err := jsonedit.Decode(src, &whole)
	if err == nil {
		return whole, nil
	}
	h, unread := session.ReadHot(src)
	if unread != nil {
		return schema.HotContext{}, unread
	}
	return h.Context(), err
}

func decode[T any](doc *jsonedit.Doc, pointer string, into *T) error {
	at := doc.Find(pointer)
	if at < 0 {
		return nil
	}
	var v T
	if err := jsonedit.Decode(doc.Raw(at), &v); err != nil {
		return err
	}
	*into = v
	return nil
}

// legible are the items of a list that can be read.
func legible[T any](doc *jsonedit.Doc, pointer string) (all []T) {
	list := doc.Find(pointer)
	if list < 0 || doc.Nodes[list].Kind != jsonedit.Array {
		return nil
	}
	for i := range doc.Children(list) {
		var v T
		if jsonedit.Decode(doc.Raw(i), &v) == nil {
			all = append(all, v)
		}
	}
	return all
}

// Actions returns the pending actions of the session and of the State, each once.
func (rec *Records) Actions() []schema.Action {
	return session.Actions(rec.Hot.PendingActions, rec.State.PendingActions)
}

// Questions returns the open questions of both, each once.
func (rec *Records) Questions() []schema.Question {
	return session.Questions(rec.Hot.OpenQuestions, rec.State.OpenQuestions)
}
