package condense

import (
	"cmp"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// The states of a thread, in their order.
const (
	Active   = "active"
	Resolved = "resolved"
	Archived = "archived"
)

// homes are the folders that records are read from.
var homes = [...]string{fs.Forgemind, fs.Quaid}

// A Thread is a discussion about one topic, with what its messages say of it.
type Thread struct {
	schema.Thread           // Participants are all who are recorded or spoke
	File          string    `json:"file"` // the Name of its document, whether or not there is one
	Messages      int       `json:"message_count"`
	Last          time.Time `json:"last,omitzero"` // when something happened in it; zero where nothing says so
}

// Talk returns the Name of the thread's conversation, which Talk reads: the file that
// bridges append to.
func (t Thread) Talk() string { return strings.TrimSuffix(t.File, ".json") + ".jsonl" }

// isIn reports whether file is the Name of one of the thread's files.
func (t Thread) isIn(file string) bool {
	file = path.Clean(file)
	return file == t.File || file == t.Talk() || path.Dir(file) == folderOf(t.File)
}

// Called returns how commands call t: by its id, or if only a bridge gave it one, which may be that of another
// thread in another channel, by the Name of its document.
func (t Thread) Called() string {
	if t.ID == strings.TrimSuffix(path.Base(t.File), ".json") {
		return t.File
	}
	return t.ID
}

// A Fault is a place that could not be read. The rest was.
type Fault struct {
	Name string
	Line int // from 1; 0 is all of it
	Err  error
}

// At returns the place of the fault, "name:line" where it is a line.
func (f Fault) At() string {
	if f.Line == 0 {
		return f.Name
	}
	return fmt.Sprintf("%s:%d", f.Name, f.Line)
}

// Threads returns all threads in the order in which they were opened, and what
// could not be read of them. Messages without a record, as a chat bridge may write
// them, are an active thread.
func Threads(r fs.Reader) ([]Thread, []Fault, error) {
	all, faults, err := listThreads(r)
	if err != nil {
		return nil, nil, err
	}
	for i := range all {
		more, err := all[i].hear(r)
		if err != nil {
			faults = append(faults, Fault{Name: all[i].Talk(), Err: err})
		}
		faults = append(faults, more...)
	}
	slices.SortStableFunc(all, func(a, b Thread) int { return momentOf(a.Opened).Compare(momentOf(b.Opened)) })
	return all, faults, nil
}

// FindThread returns the thread that which names by its id, by its file or by unique
// text of its title. The error is a *session.Unknown or a *session.Ambiguous.
func FindThread(r fs.Reader, which string) (Thread, error) { return FindThreadIn(r, "", which) }

// FindThreadIn is FindThread for the threads of a channel; "" for all.
func FindThreadIn(r fs.Reader, channel, which string) (Thread, error) {
	all, faults, err := listThreads(r)
	if err != nil {
		return Thread{}, err
	}
	all = slices.DeleteFunc(all, func(t Thread) bool { return channel != "" && t.Channel != channel })
	i := slices.IndexFunc(all, func(t Thread) bool { return t.isIn(which) })
	if i < 0 {
		i, err = session.Find("thread", which, all, func(t Thread) (id, text string) { return t.ID, t.Title })
	}
	if err != nil {
		return Thread{}, cmp.Or(meant(r, which, faults), err)
	}
	_, err = all[i].hear(r)
	return all[i], err
}

// ThreadAt returns the thread of the conversation that Talk reads at name, without
// what its messages say: nothing but its record is read. False: that can't be.
func ThreadAt(r fs.Reader, name string) (Thread, bool) {
	file := strings.TrimSuffix(name, "l")
	t, err := readThread(r, file)
	if errors.Is(err, iofs.ErrNotExist) {
		return unrecorded(file), true
	}
	return t, err == nil
}

// HeardAt returns the thread that ThreadAt does, with its participants and Last as its messages have them.
func HeardAt(r fs.Reader, name string) (Thread, bool) {
	t, ok := ThreadAt(r, name)
	if ok {
		_, err := t.hear(r)
		ok = err == nil
	}
	return t, ok
}

// meant returns the fault of the record that is called, or says of itself that it is,
// the thread which, or that may be, for the system did not give it; nil where none
// is.
func meant(r fs.Reader, which string, faults []Fault) error {
	_, own, _ := strings.Cut(which, "-")
	for _, f := range faults {
		if kind := fs.Place(f.Name); kind != fs.DocThread && kind != fs.DocThreadRecord && kind != fs.DocChange {
			continue
		}
		named := strings.Contains(path.Base(f.Name), topicSlug(which)) || own != "" && strings.HasSuffix(f.Name, "-"+own+".json")
		if src, err := r.Read(f.Name); named || err == nil && strings.Contains(string(src), `"`+which+`"`) {
			return fmt.Errorf("%s: %w", f.Name, f.Err)
		}
	}
	return Unread(faults)
}

// Unread returns the first of the faults that is one of the system's (see fs.Unread);
// nil where there is none. What is asked for may stand there.
func Unread(faults []Fault) error {
	for _, f := range faults {
		if fs.Unread(f.Err) {
			return f.Err
		}
	}
	return nil
}

// hear fills in what the thread's messages say.
func (t *Thread) hear(r fs.Reader) ([]Fault, error) {
	messages, faults, err := Talk(r, t.Talk())
	t.Messages = len(messages)
	for _, m := range messages {
		t.meet(m.Agent)
		t.Last = later(t.Last, momentOf(m.Timestamp))
	}
	if t.Opened == "" && len(messages) > 0 {
		t.Opened = messages[0].Timestamp
	}
	for _, at := range []string{t.Opened, t.Resolved, t.Archived} {
		t.Last = later(t.Last, momentOf(at))
	}
	return faults, err
}

// meet adds a participant.
func (t *Thread) meet(agent string) {
	if agent != "" && !slices.Contains(t.Participants, agent) {
		t.Participants = append(slices.Clip(t.Participants), agent)
	}
}

// momentOf returns a time that a document holds; zero if it is none.
func momentOf(text string) time.Time {
	at, _ := schema.ParseTime(text)
	return at
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
