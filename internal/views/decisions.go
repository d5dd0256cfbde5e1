package views

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// mostDecisions bounds how many decisions the State shows.
const mostDecisions = 10

// A shownDecision is a decision as a view shows it.
type shownDecision struct {
	pointer    string
	node       int    // of the document
	id         string // by which its file has it, or will have it unless a file shows that the id was taken again
	said       string // the id of the view
	counted    bool   // the id is one of a program that counts, and may take it again
	words      string
	timestamp  string
	superseded bool // the view says so
}

// shows reports whether the view shows the decision d.
func (s shownDecision) shows(d schema.Decision) bool {
	if s.id == d.ID {
		return !s.counted || !schema.TakenAgain(s.id, s.words, s.timestamp, d.Decision, d.Timestamp)
	}
	return s.counted && s.ownID() == d.ID
}

// ownID returns the id of the decision if another one has the id that the view says.
func (s shownDecision) ownID() string {
	return schema.OwnID(records.Decision.Prefix, s.said, s.timestamp, s.words)
}

// at returns when the decision was made; one without a time is the oldest.
func (s shownDecision) at() time.Time {
	at, _ := schema.ParseTime(s.timestamp)
	return at
}

// decisionsAt returns the pointer of the list in which the view called name shows decisions.
func decisionsAt(name string) string {
	if name == fs.State {
		return "/recent_decisions"
	}
	return "/key_decisions"
}

// shownDecisions returns the decisions of the list at a pointer.
func shownDecisions(doc *jsonedit.Doc, pointer string) (all []shownDecision) {
	list := doc.Find(pointer)
	if list < 0 || doc.Nodes[list].Kind != jsonedit.Array {
		return nil
	}
	first := map[string]shownDecision{}
	for i := range doc.Children(list) {
		d := shownDecision{pointer: fmt.Sprintf("%s/%d", pointer, len(all)), node: i, superseded: doc.Member(i, "superseded_by") >= 0}
		d.said, d.words, d.timestamp = oneOf(doc, i, "id", "decision_id"), oneOf(doc, i, "decision", "description"), oneOf(doc, i, "timestamp")
		if d.id = d.said; doc.Member(i, "decision") >= 0 || doc.Member(i, "description") >= 0 {
			d.id = schema.AdoptedID(d.said, d.timestamp, d.words)
		}
		d.counted = doc.Member(i, "id") < 0 && doc.Member(i, "decision_id") >= 0 && schema.CanBeTaken(d.said)
		if earlier, ok := first[d.said]; !ok {
			first[d.said] = d
		} else if d.counted && schema.TakenAgain(d.said, earlier.words, earlier.timestamp, d.words, d.timestamp) {
			d.id = d.ownID()
		}
		all = append(all, d)
	}
	return all
}

// oneOf returns the text of the first of the members names that an object has.
func oneOf(doc *jsonedit.Doc, object int, names ...string) string {
	for _, name := range names {
		if i := doc.Member(object, name); i >= 0 && doc.Nodes[i].Kind != jsonedit.Null {
			text, _ := doc.Str(i)
			return text
		}
	}
	return ""
}

// Decisions returns the JSON texts of the decisions that the view called name shows as src, in the
// order of the view and in the form of a decision's file.
func Decisions(name string, src []byte) ([][]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	var all [][]byte
	for _, d := range shownDecisions(doc, decisionsAt(name)) {
		all = append(all, d.inFile(name, doc))
	}
	return all, nil
}

// OnlyShown returns the decisions that views show and that have no file yet, each once and as its
// file will have it. A view that cannot be read shows none; nor does one that nobody edited since it
// was rendered, for git took their files away.
func OnlyShown(r fs.Reader, names ...string) (only []schema.Decision, err error) {
	im := records.NewImporter(r)
	for _, name := range names {
		src, err := r.Read(name)
		if err != nil || LastRenderings(r, name).Knows(src) {
			continue
		}
		all, err := Import(im, name, src)
		if err != nil {
			return nil, err
		}
		for _, d := range all {
			if d.IsNew() {
				only = append(only, d.Decision)
			}
		}
	}
	return only, nil
}

// Import returns the decisions that the view called name shows as src and that im did not import before; none if
// src is no JSON, which is validate's to tell.
func Import(im *records.Importer, name string, src []byte) (all []records.Imported, err error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, nil
	}
	for _, s := range shownDecisions(doc, decisionsAt(name)) {
		d, ok, err := im.Import(s.inFile(name, doc), s.counted)
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, d)
		}
	}
	return all, nil
}

// inFile returns the decision in the form of a decision's file.
func (s shownDecision) inFile(view string, doc *jsonedit.Doc) []byte {
	if view == fs.State {
		return doc.Raw(s.node)
	}
	return inFile(doc, s.node)
}

// inFile returns the decision of a hot context at node i in the form of a decision's file; what
// cannot be brought into it stays.
func inFile(doc *jsonedit.Doc, i int) []byte {
	raw := doc.Raw(i)
	if doc.Member(i, "decision") < 0 { // the other form of a hot context
		var shown schema.KeyDecision
		if jsonedit.Decode(raw, &shown) == nil {
			if record, err := jsonedit.Value(shown.Record()); err == nil {
				return record
			}
		}
		return raw
	}
	agent := doc.Member(i, "agent")
	if agent < 0 || doc.Member(i, "recorded_by") >= 0 {
		return raw
	}
	text, err := jsonedit.Set(raw, "/recorded_by", doc.Raw(agent))
	if err == nil {
		text, err = jsonedit.Delete(text, "/agent")
	}
	if err != nil {
		return raw
	}
	return text
}

// ErrNoList is the error of a view in which something else stands where a list should be.
var ErrNoList = errors.New("a list should be there")

// ShowDecision returns src, the view called name, with a decision that has a file, and marks those
// that it supersedes. One that somebody wrote there is not added; it gets its id. The oldest leave
// the State while it shows more than ten, but only those that recorded says have a file. The error is
// [ErrNoList] if there is something else than a list of decisions.
func ShowDecision(name string, src []byte, d schema.Decision, recorded func(id string) bool) ([]byte, error) {
	src, err := MarkSuperseded(name, src, d)
	if err != nil {
		return nil, err
	}
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	list := decisionsAt(name)
	if isMisplaced(doc, list) {
		return nil, fmt.Errorf("%s is %s, and %w", list[1:], doc.Nodes[doc.Find(list)].Kind, ErrNoList)
	}
	all := shownDecisions(doc, list)
	if i := slices.IndexFunc(all, func(s shownDecision) bool { return s.shows(d) }); i < 0 {
		src, err = appendDecision(name, src, d)
	} else if all[i].said != d.ID {
		member := "id"
		if all[i].counted {
			member = "decision_id"
		}
		src, err = setMember(src, all[i].pointer+"/"+member, d.ID)
	}
	if err != nil || name != fs.State {
		return src, err
	}
	return trimDecisions(src, list, recorded)
}

// A keyDecision is a decision in the form of a hot context, with its id and who recorded it.
type keyDecision struct {
	Decision  string `json:"decision"`
	Rationale string `json:"rationale,omitempty"`
	Timestamp string `json:"timestamp,omitempty"`
	ID        string `json:"id"`
	Agent     string `json:"agent,omitempty"`
}

// appendDecision returns a view with one more decision.
func appendDecision(name string, src []byte, d schema.Decision) ([]byte, error) {
	var shown any = d
	if name != fs.State {
		shown = keyDecision{d.Decision, d.Rationale, d.Timestamp, d.ID, d.RecordedBy}
	}
	value, err := jsonedit.Value(shown)
	if err != nil {
		return nil, err
	}
	list := decisionsAt(name)
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	if i := doc.Find(list); i < 0 || doc.Nodes[i].Kind == jsonedit.Null {
		if src, err = jsonedit.Set(src, list, []byte("[]")); err != nil {
			return nil, err
		}
	}
	return jsonedit.Append(src, list, value)
}

// MarkSuperseded returns a view with those of its decisions marked that d supersedes.
func MarkSuperseded(name string, src []byte, d schema.Decision) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	for _, s := range shownDecisions(doc, decisionsAt(name)) {
		if s.id == "" || s.superseded || !slices.Contains(d.Supersedes, s.id) {
			continue
		}
		if src, err = setMember(src, s.pointer+"/superseded_by", d.ID); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// trimDecisions takes the oldest decisions out of a list of more than mostDecisions.
func trimDecisions(src []byte, list string, recorded func(id string) bool) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	all := shownDecisions(doc, list)
	surplus := len(all) - mostDecisions
	if surplus <= 0 {
		return src, nil
	}
	slices.SortStableFunc(all, func(a, b shownDecision) int { return a.at().Compare(b.at()) })
	leave := map[int]bool{}
	for _, d := range all[:len(all)-1] {
		if len(leave) < surplus && d.id != "" && recorded(d.id) {
			leave[d.node] = true
		}
	}
	return jsonedit.Filter(src, list, func(_ *jsonedit.Doc, i int) bool { return !leave[i] })
}

// setMember returns src with a text at a pointer.
func setMember(src []byte, pointer, text string) ([]byte, error) {
	value, err := jsonedit.Value(text)
	if err != nil {
		return nil, err
	}
	return jsonedit.Set(src, pointer, value)
}
