package session

import (
	"cmp"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// The statuses of a session.
const (
	Open     = "active"
	Archived = "archived"
)

// AsItIs is the number of messages of an Aboutness that does not know it.
const AsItIs = -1

// maxPrimary is how many primary files a session has.
const maxPrimary = 10

// An Aboutness is what is to be true of a session's metadata; what is zero stays
// as it is.
type Aboutness struct {
	Started  string   // of one that is to be made; At where it is empty
	At       string   // last_activity, unless that is later
	Messages int      // message_count, unless it is AsItIs
	Agents   []string // to be added
	Files    []string // to be added to primary_files, the newest maxPrimary stay
	Tags     []string // to be added
	Title    string   // that somebody gave it: it stays until somebody gives another
	Goals    []string // of the session, the objective first; see Describe
	Status   string
	Fragment string
	Done     []schema.Done // to be added to completed
	Removed  []string      // to be added to removed
}

// Describe makes the text of the metadata.json of session id say what about says;
// the same text where it does already. A nil src is one that is to be made. Where
// nobody gave a title it is derived from the objective, the first of
// about.Goals: where there is none, and where the one there is follows from
// another of the goals that are open. Tags follow the title.
func Describe(id string, src []byte, about Aboutness) ([]byte, error) {
	if src == nil {
		var err error
		if src, err = jsonedit.Marshal(fresh{SessionID: id, Started: cmp.Or(about.Started, about.At), LastActivity: about.At, Status: Open}); err != nil {
			return nil, err
		}
	}
	var was schema.SessionMetadata
	if err := jsonedit.Decode(src, &was); err != nil {
		return nil, err
	}
	title := cmp.Or(about.Title, derived(was, about))
	tags := about.Tags
	if title != "" && title != was.Title {
		tags = append(Tags(title), tags...)
	}
	e := editing{src: src}
	if timeOr(about.At).After(timeOr(was.LastActivity)) {
		e.set("/last_activity", about.At)
	}
	if about.Messages != AsItIs && about.Messages != int(was.MessageCount) {
		e.set("/message_count", about.Messages)
	}
	e.text("/title", title, was.Title)
	e.text("/status", about.Status, was.Status)
	e.list("/agents", was.Agents, union(was.Agents, about.Agents))
	newest := about.Files[max(len(about.Files)-maxPrimary, 0):] // older ones were there and left
	files := union(was.PrimaryFiles, newest)
	e.list("/primary_files", was.PrimaryFiles, files[max(len(files)-maxPrimary, 0):])
	tags = union(was.Tags, tags)
	e.list("/tags", was.Tags, tags[:min(len(tags), max(maxTags, len(was.Tags)))])
	e.text("/fragment", about.Fragment, was.Fragment)
	for _, done := range about.Done {
		done.Created = schema.AsRFC3339(done.Created)
		if !slices.Contains(was.Completed, done) {
			e.append("/completed", done)
		}
	}
	e.list("/removed", was.Removed, union(was.Removed, about.Removed))
	return e.src, e.err
}

// fresh is a metadata.json that is to be made, with the document's members.
type fresh struct {
	SessionID    string   `json:"session_id"`
	Started      string   `json:"started,omitzero"`
	LastActivity string   `json:"last_activity,omitzero"`
	MessageCount int      `json:"message_count"`
	Title        string   `json:"title"`
	Status       string   `json:"status"`
	Agents       []string `json:"agents"`
	PrimaryFiles []string `json:"primary_files"`
	Tags         []string `json:"tags"`
	Continues    string   `json:"continues,omitzero"`
}

// derived is the title that follows from the objective; "" where there is none,
// or somebody gave the session its title.
func derived(was schema.SessionMetadata, about Aboutness) string {
	if len(about.Goals) == 0 {
		return ""
	}
	if was.Title != "" && !slices.ContainsFunc(about.Goals, func(goal string) bool { return goal != "" && Title(goal) == was.Title }) {
		return ""
	}
	return Title(about.Goals[0])
}

// union is list with what it lacks of more behind it.
func union(list, more []string) []string {
	list = slices.Clone(list)
	for _, item := range more {
		if item != "" && !slices.Contains(list, item) {
			list = append(list, item)
		}
	}
	return list
}

// An editing is a document's text in the course of several edits.
type editing struct {
	src []byte
	err error // the first; nothing is edited behind it
}

func (e *editing) do(edit func(src []byte, pointer string, value []byte) ([]byte, error), pointer string, v any) {
	if e.err != nil {
		return
	}
	value, err := jsonedit.Value(v)
	if err == nil {
		value, err = edit(e.src, pointer, value)
	}
	if e.err = err; err == nil {
		e.src = value
	}
}

func (e *editing) set(pointer string, v any)    { e.do(jsonedit.Set, pointer, v) }
func (e *editing) append(pointer string, v any) { e.do(jsonedit.Append, pointer, v) }

func (e *editing) text(pointer, now, was string) {
	if now != "" && now != was {
		e.set(pointer, now)
	}
}

// list sets a list of texts, by additions only where that is enough, so that the
// layout of what is there stays.
func (e *editing) list(pointer string, was, now []string) {
	if slices.Equal(was, now) {
		return
	}
	if len(was) == 0 || !slices.Equal(was, now[:min(len(was), len(now))]) {
		e.set(pointer, now)
		return
	}
	for _, item := range now[len(was):] {
		e.append(pointer, item)
	}
}
