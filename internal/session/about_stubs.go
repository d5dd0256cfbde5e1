package session

import (
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// The statuses of a session.
const (
	Open     = "active"
	Archived = "archived"
)

// Window, ArchiveFile, SummaryFile and MetadataFile name the documents of a
// session beside its HotContext.
func Window(id string) string       { return fs.Sessions + "/" + id + "/recent_history.jsonl" }
func ArchiveFile(id string) string  { return fs.Sessions + "/" + id + "/archive.jsonl" }
func SummaryFile(id string) string  { return fs.Sessions + "/" + id + "/summary.md" }
func MetadataFile(id string) string { return fs.Sessions + "/" + id + "/metadata.json" }

// WindowMessages and KeptMessages are how many messages the window holds, and
// how many of its newest ones stay whatever they matter (Quaid document).
const (
	WindowMessages = 20
	KeptMessages   = 10
)

// Slide parts the lines of a window that holds too much: while there are more
// than most messages, the one that matters least leaves, of those outside the
// last KeptMessages; of equals the oldest. Lines that are no messages stay.
// stay and leave are in the order of lines. A message without an importance
// matters 0.5.
func Slide(lines []Line, most int) (stay, leave []Line) { panic("not built") }

// An Aboutness is what is to be true of a session's metadata; what is zero stays
// as it is.
type Aboutness struct {
	At       string   // last_activity
	Messages int      // message_count; -1: as it is
	Agents   []string // to be added
	Files    []string // primary_files, the newest maxPrimary
	Tags     []string // to be added
	Title    string   // set where there is none, or where it was derived
	Status   string
	Fragment string
	Done     []schema.Done // to be added to completed
}

// Describe makes the text of a metadata.json say what about says; the same text
// where it does already.
func Describe(src []byte, about Aboutness) ([]byte, error) { panic("not built") }

// Title is the title of a session with that objective: "JWT Authentication
// Implementation" of "Implement JWT authentication".
func Title(objective string) string { panic("not built") }

// Tags are words to find a session by that has that title: "jwt",
// "authentication", "implementation".
func Tags(title string) []string { panic("not built") }

// A Listed is a session as its metadata, or for want of it its files, tell of it.
type Listed struct {
	schema.SessionMetadata
	Live bool  // it is the working copy's active one
	Err  error // why its metadata could not be read; the rest is from its files
}

// List returns the sessions, the latest activity first. It reads the index where
// that agrees in the ids, sizes of nothing else being known, else the metadata.
func List(r fs.Reader) ([]Listed, error) { panic("not built") }

// Indexed is the text of the index with the line of one session brought up to
// date, whose metadata is given; made anew (see Index) where it cannot be read,
// or does not list exactly the sessions that there are.
func Indexed(r fs.Reader, index []byte, changed schema.SessionMetadata) ([]byte, error) {
	panic("not built")
}

// Began is the documents of a session of that id that starts now, by name, with
// a title where one is given. carried is the hot context of the session that it
// continues, nil for none: its open goals, pending actions, constraints, notes,
// open questions, and the decisions that hold are carried over, and its version,
// plus one. The index and the active session are not among them.
func Began(id, title string, now time.Time, continues string, carried []byte) (map[string][]byte, error) {
	panic("not built")
}

// Idle returns the ids of the sessions that are neither archived nor active here
// and had no activity for days.
func Idle(all []Listed, now time.Time, days int) []string { panic("not built") }

// Told counts the messages of a session and finds who spoke: window and archive,
// without the summaries of clusters.
func Told(window, archive []byte) (messages int, agents []string) { panic("not built") }
