package session

import (
	"cmp"
	"slices"
	"time"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// The statuses of a session.
const (
	Open     = "active"
	Archived = "archived"
)

// AsItIs is the number of messages of a MetadataChange that does not change the number.
const AsItIs = -1

// maxPrimary is the largest number of primary files of a session.
const maxPrimary = 10

// A MetadataChange holds new values for a session's metadata. Zero values change nothing.
type MetadataChange struct {
	Started  string   // for new metadata; empty means At
	At       string   // last_activity, unless that is later
	Messages int      // message_count, unless it is AsItIs
	Agents   []string // added
	Files    []string // added to primary_files, of which the newest maxPrimary stay
	Tags     []string // added
	Title    string   // given by a user; it stays until a user gives another
	Goals    []string // of the session, the objective first; see Describe
	Status   string
	Fragment string
	Done     []schema.Done // added to completed
	Removed  []string      // added to removed
}

// Describe returns the metadata.json of session id with the values of about. It returns src itself
// if nothing changes. If src is nil, it returns new metadata. If no user gave a title, the title is
// derived from the objective, which is the first of about.Goals. That happens if there is no title,
// and if the present title was derived from another open goal. Tags are derived from the title.
func Describe(id string, src []byte, about MetadataChange) ([]byte, error) {
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
	newest := about.Files[max(len(about.Files)-maxPrimary, 0):] // older ones were listed before and were dropped
	files := union(was.PrimaryFiles, newest)
	e.list("/primary_files", was.PrimaryFiles, files[max(len(files)-maxPrimary, 0):])
	tags = union(was.Tags, tags)
	e.list("/tags", was.Tags, tags[:min(len(tags), max(maxTags, len(was.Tags)))])
	e.text("/fragment", about.Fragment, was.Fragment)
	for _, done := range about.Done {
		done.Created = timeAsOurs(done.Created)
		if !slices.Contains(was.Completed, done) {
			e.append("/completed", done)
		}
	}
	e.list("/removed", was.Removed, union(was.Removed, about.Removed))
	return e.src, e.err
}

// timeAsOurs returns a time of a hot context from another program in the form of our schemas. A
// time without a zone, as the class in the Quaid document writes it, is in UTC. The result is "" if
// text is not a time.
func timeAsOurs(text string) string {
	if _, err := schema.ParseTime(text); err == nil {
		return text
	}
	for _, layout := range []string{"2006-01-02 15:04:05", "2006-01-02T15:04:05"} {
		if at, err := time.Parse(layout, text); err == nil { // with or without a fraction
			return schema.FormatTime(at)
		}
	}
	return ""
}

// A fresh holds the members of a new metadata.json.
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

// derived returns the title derived from the objective. It returns "" if there is no objective or a
// user gave the title.
func derived(was schema.SessionMetadata, about MetadataChange) string {
	if len(about.Goals) == 0 {
		return ""
	}
	if was.Title != "" && !slices.ContainsFunc(about.Goals, func(goal string) bool { return goal != "" && Title(goal) == was.Title }) {
		return ""
	}
	return Title(about.Goals[0])
}

// union returns list with the elements of more that it lacks at the end.
func union(list, more []string) []string {
	list = slices.Clone(list)
	for _, item := range more {
		if item != "" && !slices.Contains(list, item) {
			list = append(list, item)
		}
	}
	return list
}

// An editing is a document during several edits.
type editing struct {
	src []byte
	err error // the first error; later edits are skipped
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

// list sets a list of strings. If it can, it only adds elements, so that the layout of the others
// stays.
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
