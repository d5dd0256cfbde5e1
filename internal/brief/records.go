package brief

import (
	"cmp"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// Records hold the facts of a tree that an agent or a person should know. Read fills those in
// force; the caller fills the lists below.
type Records struct {
	State     schema.State
	Session   string            // the active one; "" for none
	Last      string            // without an active one, the latest one; see session.InForce
	Hot       schema.HotContext // of that session
	Decisions []schema.Decision // of the Ledger, followed by those that only a view shows
	Standing  schema.Standing   // of them
	Faults    []string          // what could not be read
	Unread    error             // why the records in force cannot be read as a whole; Faults has it as well

	Projects []Project        // with their constraints
	Handoffs []schema.Handoff // that nobody took over yet
	Claimed  []schema.Thread  // that somebody holds
	Talk     Talk             // the live conversation, or the last one
	Stale    []string         // stale references among these records, as "FILE:LINE: what", the most important first
	NotInGit string           // the number of records that git does not have yet, in words; "" for none

	// Mine reports whether a decision belongs here; nil: all do.
	Mine func(*schema.Decision) bool
}

// Read reads the records of a tree. A document that cannot be read is a fault.
func Read(r fs.Reader) Records {
	var rec Records
	var shownIn [][]byte // decisions of views
	if src := rec.read(r, fs.State); src != nil {
		var err error
		if rec.State, err = stateIn(src); err != nil {
			rec.fault(fs.State, src, err)
			rec.Unread = fmt.Errorf("%s: %w", fs.State, err)
		}
		shownIn = append(shownIn, written(r, fs.State, src, state.ShownDecisions)...)
	}
	id, active, err := session.InForce(r)
	rec.failed(err)
	if id != "" {
		rec.Unread = nil // the State has no more than the session
		if src := rec.read(r, session.HotContext(id)); src != nil {
			if active {
				rec.Session = id
			} else {
				rec.Last = id
			}
			var err error
			if rec.Hot, err = hotIn(src); err != nil {
				rec.fault(session.HotContext(id), src, err)
				rec.Unread = fmt.Errorf("%s: %w", session.HotContext(id), err)
			}
			shownIn = append(shownIn, written(r, session.HotContext(id), src, session.Shown)...)
		}
	}
	if id == "" {
		rec.Hot, err = views.Project(r)
		rec.failed(err)
	}
	rec.decide(r, shownIn)
	return rec
}

// written returns the decisions that somebody may have written in a view: none if the view is
// as it was rendered.
func written(r fs.Reader, name string, src []byte, in func([]byte) ([][]byte, error)) [][]byte {
	if views.LastRenderings(r, name).Knows(src) {
		return nil
	}
	shown, _ := in(src) // a document that is not JSON is a fault already
	return shown
}

// Told returns the session whose hot context is used; "" for none.
func (rec *Records) Told() string { return cmp.Or(rec.Session, rec.Last) }

// failed adds err to the faults, unless it is nil.
func (rec *Records) failed(err error) {
	if err != nil {
		rec.Faults = append(rec.Faults, err.Error())
	}
}

// read returns the content of name; nil if there is none.
func (rec *Records) read(r fs.Reader, name string) []byte {
	src, err := r.Read(name)
	switch {
	case errors.Is(err, iofs.ErrNotExist):
		return nil
	case err != nil:
		rec.Faults = append(rec.Faults, fmt.Sprintf("%s cannot be read: %v", name, err))
		rec.Unread = fmt.Errorf("%s: %w", name, err)
		return nil
	}
	return src
}

// fault adds an error in a document to the faults.
func (rec *Records) fault(name string, src []byte, err error) {
	var syntax *jsonedit.SyntaxError
	if errors.As(err, &syntax) {
		line, _, _ := jsonedit.Position(src, min(syntax.Offset, len(src)))
		rec.Faults = append(rec.Faults, fmt.Sprintf("%s:%d cannot be read: %s", name, line, syntax.Msg))
		return
	}
	rec.Faults = append(rec.Faults, fmt.Sprintf("%s cannot be read as a whole: %v", name, err))
}

// decide reads the decisions.
func (rec *Records) decide(r fs.Reader, views [][]byte) {
	all, faults := ledger.All(r)
	only, err := ledger.OnlyShown(r, views)
	if err != nil {
		rec.Faults = append(rec.Faults, fmt.Sprintf("the Ledger cannot be read: %v", err))
	}
	switch len(faults) {
	case 0:
	case 1:
		rec.Faults = append(rec.Faults, faults[0].Name+" cannot be read as a decision")
	default:
		rec.Faults = append(rec.Faults, fmt.Sprintf("%d files of the Ledger cannot be read as decisions, such as %s", len(faults), faults[0].Name))
	}
	rec.Decisions = append(all, only...)
	rec.Standing = schema.Current(rec.Decisions)
}

// stateIn decodes the State in src, as far as it can be read.
func stateIn(src []byte) (s schema.State, err error) {
	doc, err := jsonedit.Parse(src) // limits the cost of a stranger's text
	if err != nil {
		return s, err
	}
	if err = jsonedit.Decode(src, &s); err == nil {
		return s, nil
	}
	s = schema.State{}
	_ = decode(doc, "/metadata", &s.Metadata) // invalid members stay empty
	_ = decode(doc, "/project", &s.Project)
	s.PendingActions = legible[schema.Action](doc, "/pending_actions")
	s.OpenQuestions = legible[schema.Question](doc, "/open_questions")
	return s, err
}

// hotIn decodes the hot context in src, as far as it can be read.
func hotIn(src []byte) (schema.HotContext, error) {
	var whole schema.HotContext
	if _, err := jsonedit.Parse(src); err != nil { // limits the cost of a stranger's text
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

// legible returns the items of a list that can be decoded.
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

// Goals returns the goals that are neither reached nor given up.
func (rec *Records) Goals() []schema.Goal {
	return slices.DeleteFunc(slices.Clone(rec.Hot.ActiveGoals), func(g schema.Goal) bool {
		return isOne(g.Status, reached) || isOne(g.Status, givenUp)
	})
}

// Constraints returns the constraints of the session, followed by those of the projects.
func (rec *Records) Constraints() []schema.Constraint {
	all := slices.Clone(rec.Hot.ImportantConstraints)
	for _, p := range rec.Projects {
		for _, text := range p.Constraints {
			all = append(all, schema.Constraint{Constraint: text, Agent: "project " + p.Name})
		}
	}
	return all
}

// HandedOver returns the handoffs as actions, the latest first.
func (rec *Records) HandedOver() (all []schema.Action) {
	for _, h := range slices.Backward(rec.Handoffs) {
		all = append(all, schema.Action{
			ID: h.ID, Action: joined(h.Task, h.Summary), Created: h.Created, CreatedBy: cmp.Or(h.From, "somebody"), AssignedTo: h.To,
		})
	}
	return all
}

// Artifacts returns the artifacts that are loaded into the window.
func (rec *Records) Artifacts() []schema.Artifact {
	return slices.DeleteFunc(slices.Clone(rec.State.LoadedArtifacts), func(a schema.Artifact) bool { return !a.Loaded })
}

// Actions returns the pending actions of the session and of the State, each once.
func (rec *Records) Actions() []schema.Action {
	return union(rec.Hot.PendingActions, rec.State.PendingActions, func(a schema.Action) (string, string) { return a.ID, a.Action })
}

// Questions returns the open questions of both, each once.
func (rec *Records) Questions() []schema.Question {
	return union(rec.Hot.OpenQuestions, rec.State.OpenQuestions, func(q schema.Question) (string, string) { return q.ID, q.Question })
}

// union returns the records of a, followed by those of b that a lacks. Records are the same
// if their ids are equal or, without ids, their texts.
func union[T any](a, b []T, key func(T) (id, text string)) []T {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Concat(a, b), func(v T) bool {
		id, text := key(v)
		text = strings.TrimSpace(text)
		if id == "" {
			id = "\x00" + text
		}
		if text == "" || seen[id] {
			return true
		}
		seen[id] = true
		return false
	})
}
