package brief

import (
	"cmp"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/acted"
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
	rec.readView(r, fs.State, &rec.State)
	id, active, err := session.InForce(r)
	rec.failed(err)
	if id != "" {
		shownIn = append(shownIn, session.HotContext(id))
		switch there := rec.readView(r, session.HotContext(id), &rec.Hot); {
		case there && active:
			rec.Session = id
		case there:
			rec.Last = id
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

// readView decodes a view, as far as it can be read, and reports whether it is there.
func (rec *Records) readView(r fs.Reader, name string, into any) bool {
	unread, err := views.Decode(r, name, into)
	switch {
	case errors.Is(err, iofs.ErrNotExist):
		return false
	case unread != nil:
		rec.Faults = append(rec.Faults, unread.About(name))
	case err != nil:
		rec.Faults = append(rec.Faults, fmt.Sprintf("%s cannot be read: %v", name, err))
		return false
	}
	return true
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

// Actions returns the pending actions of the session and of the State, each once.
func (rec *Records) Actions() []schema.Action {
	return session.Actions(rec.Hot.PendingActions, rec.State.PendingActions)
}

// Questions returns the open questions of both, each once.
func (rec *Records) Questions() []schema.Question {
	return session.Questions(rec.Hot.OpenQuestions, rec.State.OpenQuestions)
}
