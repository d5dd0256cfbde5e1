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

// The states of a thread, in order.
const (
	Active   = "active"
	Resolved = "resolved"
	Archived = "archived"
)

// homes lists the folders with records.
var homes = [...]string{fs.Forgemind, fs.Quaid}

// A Thread is a discussion about one topic, with values computed from its messages.
type Thread struct {
	schema.Thread           // Participants includes the recorded ones and all speakers
	File          string    `json:"file"` // name of its document, which may be missing
	Messages      int       `json:"message_count"`
	Last          time.Time `json:"last,omitzero"` // time of its last activity; zero if unknown
}

// Talk returns the name of the thread's conversation for the function Talk. Bridges append to this
// file.
func (t Thread) Talk() string { return strings.TrimSuffix(t.File, ".json") + ".jsonl" }

// isIn reports whether file is one of the thread's files.
func (t Thread) isIn(file string) bool {
	file = path.Clean(file)
	return file == t.File || file == t.Talk() || path.Dir(file) == folderOf(t.File)
}

// A Fault is a part of a file that could not be read.
type Fault struct {
	Name string
	Line int // 1-based; 0 for the whole file
	Err  error
}

// At returns the place of the fault, with the line as "name:line".
func (f Fault) At() string {
	if f.Line == 0 {
		return f.Name
	}
	return fmt.Sprintf("%s:%d", f.Name, f.Line)
}

// Threads returns all threads in the order in which they were opened, and a fault for each part
// that could not be read. Messages without a record, which a chat bridge may write, are an active
// thread.
func Threads(r fs.Reader) ([]Thread, []Fault, error) {
	all, faults, err := listThreads(r)
	if err != nil {
		return nil, nil, err
	}
	for i := range all {
		more, err := all[i].updateFromMessages(r)
		if err != nil {
			faults = append(faults, Fault{Name: all[i].Talk(), Err: err})
		}
		faults = append(faults, more...)
	}
	slices.SortStableFunc(all, func(a, b Thread) int { return momentOf(a.Opened).Compare(momentOf(b.Opened)) })
	return all, faults, nil
}

// ClaimedThreads returns the threads that were ever claimed and are not archived, without the values
// from their messages. It leaves out what cannot be read.
func ClaimedThreads(r fs.Reader) (all []Thread) {
	seen := map[string]bool{}
	for _, home := range homes {
		for name, err := range r.Names(home + "/" + fs.ThreadsDir) {
			file := threadFile(name)
			if err != nil || !strings.Contains(path.Base(name), ".claimed-") || file == "" || seen[file] {
				continue
			}
			seen[file] = true
			if t, err := readThread(r, file); err == nil && t.Status != Archived {
				all = append(all, t)
			}
		}
	}
	return all
}

// FindThread returns the thread with the id or the file which, or the only one whose title contains
// which. The error can be a *session.UnknownError or a *session.AmbiguousError.
func FindThread(r fs.Reader, which string) (Thread, error) {
	all, faults, err := listThreads(r)
	if err != nil {
		return Thread{}, err
	}
	i := slices.IndexFunc(all, func(t Thread) bool { return t.isIn(which) })
	if i < 0 {
		i, err = session.Find("thread", which, all, func(t Thread) (id, text string) { return t.ID, t.Title })
	}
	if err != nil {
		return Thread{}, cmp.Or(meant(r, which, faults), err)
	}
	_, err = all[i].updateFromMessages(r)
	return all[i], err
}

// ThreadAt returns the thread whose conversation Talk reads at name. It reads only the record and
// not the messages. It reports false if there is none.
func ThreadAt(r fs.Reader, name string) (Thread, bool) {
	file := strings.TrimSuffix(name, "l")
	t, err := readThread(r, file)
	if errors.Is(err, iofs.ErrNotExist) {
		return unrecorded(file), true
	}
	return t, err == nil
}

// meant returns the first fault that may concern the thread which: its record has that id or file
// name, or could not be read because of the system. It returns nil if there is none.
func meant(r fs.Reader, which string, faults []Fault) error {
	_, own, _ := strings.Cut(which, "-")
	for _, f := range faults {
		if kind := fs.Place(f.Name); kind != fs.DocThread && kind != fs.DocThreadRecord && kind != fs.DocChange {
			continue
		}
		named := strings.Contains(path.Base(f.Name), Slug(which)) || own != "" && strings.HasSuffix(f.Name, "-"+own+".json")
		if src, err := r.Read(f.Name); named || err == nil && strings.Contains(string(src), `"`+which+`"`) {
			return fmt.Errorf("%s: %w", f.Name, f.Err)
		}
	}
	return FirstUnread(faults)
}

// FirstUnread returns the first fault that the system caused (see fs.IsUnread), or nil. What was searched
// for may be in its file.
func FirstUnread(faults []Fault) error {
	for _, f := range faults {
		if fs.IsUnread(f.Err) {
			return f.Err
		}
	}
	return nil
}

// updateFromMessages computes the values that come from the thread's messages.
func (t *Thread) updateFromMessages(r fs.Reader) ([]Fault, error) {
	messages, faults, err := Talk(r, t.Talk())
	t.Messages = len(messages)
	for _, m := range messages {
		t.addParticipant(m.Agent)
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

// addParticipant adds a participant.
func (t *Thread) addParticipant(agent string) {
	if agent != "" && !slices.Contains(t.Participants, agent) {
		t.Participants = append(slices.Clip(t.Participants), agent)
	}
}

// momentOf parses a time of a document. It returns the zero time if text is not one.
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
