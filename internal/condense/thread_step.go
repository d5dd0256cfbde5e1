package condense

import (
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// in characters
const longestTitle = 1000

// A StepError reports a step that the state of a thread does not allow.
type StepError struct {
	Thread Thread
	Step   string // the attempted step: "post to", "resolve", "archive"
}

func (e *StepError) Error() string {
	return fmt.Sprintf("cannot %s thread %s: it is %.40s", e.Step, e.Thread.ID, e.Thread.Status)
}

// Possible returns a hint about the steps that are allowed.
func (e *StepError) Possible() string {
	switch e.Thread.Status {
	case Active:
		return fmt.Sprintf("resolve an active thread first; after %d days without a message it is archived as it is", IdleDays)
	case Resolved:
		return "a resolved thread can be condensed and archived; to go on talking, open another thread"
	case Archived:
		return "an archived thread stays as it is; to go on talking, open another thread"
	}
	return "that is not a state of a thread; 'forgemind validate' reports the file"
}

// OpenThread stages a new active thread with the title, the channel, the author and the time in t.
// If the channel has an active thread with that title, OpenThread returns it and stages nothing.
func OpenThread(tx *fs.Tx, home string, t schema.Thread, random io.Reader) (Thread, error) {
	t.Title = single(t.Title)
	switch n := utf8.RuneCountInString(t.Title); {
	case n == 0:
		return Thread{}, errors.New("the title is empty")
	case n > longestTitle:
		return Thread{}, fmt.Errorf("the title has %d characters, of %d at most", n, longestTitle)
	case single(t.Channel) == "":
		return Thread{}, errors.New("a thread needs a channel")
	}
	t.Channel, t.Status = ChannelID(t.Channel), Active
	all, _, err := listThreads(tx)
	if err != nil {
		return Thread{}, err
	}
	taken := map[string]bool{}
	for _, other := range all {
		if other.Status == Active && other.Channel == t.Channel && strings.EqualFold(other.Title, t.Title) {
			_, err := other.updateFromMessages(tx)
			return other, err
		}
		taken[other.ID] = true
	}
	if t.ID == "" {
		if t.ID, err = schema.NewID("thread-", random, func(id string) bool { return taken[id] }); err != nil {
			return Thread{}, err
		}
	}
	return newThread(tx, home, t)
}

// newThread stages the record of a new thread and its view.
func newThread(tx *fs.Tx, home string, t schema.Thread) (Thread, error) {
	made := Thread{Thread: t, File: path.Join(home, fs.ThreadsDir, t.Channel, stemOf(t.Title, t.ID)+".json"), Last: momentOf(t.Opened)}
	if _, err := threadFolder(made.File).Add(tx, t.ID, t); err != nil {
		return made, err
	}
	return made, renderThread(tx, made.File)
}

// Post stages a message in the active thread which. It returns the stored message, which is in
// parts if it is long, and the kinds of the secrets that were masked. Only the message's file is
// written; its author becomes a participant by it.
func Post(tx *fs.Tx, which string, m schema.Message, terms session.Terms) (t Thread, posted []schema.Message, masked []string, err error) {
	if t, err = FindThread(tx, which); err != nil {
		return t, nil, nil, err
	}
	if t.Status != Active {
		return t, nil, nil, &StepError{t, "post to"}
	}
	if posted, masked, err = addTalk(tx, t.Talk(), []schema.Message{m}, terms); err != nil {
		return t, nil, nil, err
	}
	_, err = t.updateFromMessages(tx)
	return t, posted, masked, err
}

// ResolveThread stages that the active thread which is resolved. The argument by names the author
// of the change.
func ResolveThread(tx *fs.Tx, which, by string, at time.Time) (Thread, error) {
	t, err := FindThread(tx, which)
	switch {
	case err != nil:
		return t, err
	case t.Status != Active:
		return t, &StepError{t, "resolve"}
	}
	t.Status, t.Resolved = Resolved, schema.FormatTime(at)
	return t, t.change(tx, Resolved, by, at)
}

// ClaimableThread returns the thread which, which must not be archived, and its record, which is
// staged if there is none.
func ClaimableThread(tx *fs.Tx, which string) (Thread, records.Record, error) {
	t, err := FindThread(tx, which)
	switch {
	case err != nil:
		return t, records.Record{}, err
	case t.Status == Archived:
		return t, records.Record{}, &StepError{t, "claim"}
	}
	record, err := t.record(tx)
	return t, record, err
}

// ArchiveThread stages that the thread which is archived. It must be resolved, or active and idle
// according to idle.
func ArchiveThread(tx *fs.Tx, which, by string, at time.Time, idle func(Thread) bool) (Thread, error) {
	t, err := FindThread(tx, which)
	switch {
	case err != nil:
		return t, err
	case t.Status != Resolved && !(t.Status == Active && idle(t)):
		return t, &StepError{t, "archive"}
	}
	return t, t.archive(tx, by, at)
}

func (t *Thread) archive(tx *fs.Tx, by string, at time.Time) error {
	t.Status, t.Archived = Archived, schema.FormatTime(at)
	return t.change(tx, Archived, by, at)
}

// ArchiveDue stages that all IdleThreads are archived.
func ArchiveDue(tx *fs.Tx, by string, at time.Time, idle func(Thread) bool) ([]Thread, error) {
	all, _, err := Threads(tx)
	if err != nil {
		return nil, err
	}
	due := IdleThreads(all, idle)
	for i := range due {
		if err := due[i].archive(tx, by, at); err != nil {
			return nil, err
		}
	}
	return due, nil
}

// CondenseThread stages the name of a condensation's file in the thread which. An active thread
// becomes resolved.
func CondenseThread(tx *fs.Tx, which, condensation, by string, at time.Time) (Thread, error) {
	t, err := FindThread(tx, which)
	if err != nil {
		return t, err
	}
	t.Condensation = condensation
	what := updated
	if t.Status == Active {
		what, t.Status, t.Resolved = Resolved, Resolved, schema.FormatTime(at)
	}
	return t, t.change(tx, what, by, at)
}

// updated is the word for a change that does not change the status.
const updated = "updated"
