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
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// longestTitle is in characters.
const longestTitle = 1000

// A Misstep is something that cannot be done with a thread as it stands.
type Misstep struct {
	Thread Thread
	Step   string // what was asked for: "post to", "resolve", "archive"
}

func (e *Misstep) Error() string {
	return fmt.Sprintf("cannot %s thread %s: it is %.40s", e.Step, e.Thread.ID, e.Thread.Status)
}

// Possible says, for people, what can be done instead.
func (e *Misstep) Possible() string {
	switch e.Thread.Status {
	case Active:
		return fmt.Sprintf("an active thread can be resolved; it is archived without that after %d days in which nobody says anything", IdleDays)
	case Resolved:
		return "a resolved thread can be condensed and archived; to go on talking, open another thread"
	case Archived:
		return "an archived thread stays as it is; to go on talking, open another thread"
	}
	return "no thread has such a state; 'forgemind validate' says where it stands"
}

// OpenThread stages a new active thread; t says its title and channel, and who
// opened it when. An active thread of that title in that channel is returned
// instead, and nothing is staged.
func OpenThread(tx *fs.Tx, home string, t schema.Thread, random io.Reader) (Thread, error) {
	t.Title = single(t.Title)
	switch n := utf8.RuneCountInString(t.Title); {
	case n == 0:
		return Thread{}, errors.New("the title says nothing")
	case n > longestTitle:
		return Thread{}, fmt.Errorf("the title has %d characters, of %d at most", n, longestTitle)
	case single(t.Channel) == "":
		return Thread{}, errors.New("a thread stands in a channel")
	}
	t.Channel, t.Status = ChannelID(t.Channel), Active
	all, _, err := listThreads(tx)
	if err != nil {
		return Thread{}, err
	}
	taken := map[string]bool{}
	for _, other := range all {
		if other.Status == Active && other.Channel == t.Channel && strings.EqualFold(other.Title, t.Title) {
			_, err := other.hear(tx)
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

// newThread stages the record of a thread that is not there yet, and its view.
func newThread(tx *fs.Tx, home string, t schema.Thread) (Thread, error) {
	made := Thread{Thread: t, File: path.Join(home, fs.ThreadsDir, t.Channel, stemOf(t.Title, t.ID)+".json"), Last: momentOf(t.Opened)}
	if _, err := threadFolder(made.File).Add(tx, t.ID, t); err != nil {
		return made, err
	}
	return made, renderThread(tx, made.File)
}

// Post stages a message of the active thread that which names, and returns it as
// stored (in parts where it is long) and the kinds of the secrets that were masked in
// it. Only the message's file is new: whoever spoke takes part.
func Post(tx *fs.Tx, which string, m schema.Message, terms session.Terms) (t Thread, posted []schema.Message, masked []string, err error) {
	if t, err = FindThread(tx, which); err != nil {
		return t, nil, nil, err
	}
	if t.Status != Active {
		return t, nil, nil, &Misstep{t, "post to"}
	}
	if posted, masked, err = addTalk(tx, t.Talk(), []schema.Message{m}, terms); err != nil {
		return t, nil, nil, err
	}
	_, err = t.hear(tx)
	return t, posted, masked, err
}

// ResolveThread stages that the active thread which names came to a conclusion; by is
// who says so.
func ResolveThread(tx *fs.Tx, which, by string, at time.Time) (Thread, error) {
	t, err := FindThread(tx, which)
	switch {
	case err != nil:
		return t, err
	case t.Status != Active:
		return t, &Misstep{t, "resolve"}
	}
	t.Status, t.Resolved = Resolved, schema.FormatTime(at)
	return t, t.change(tx, Resolved, by, at)
}

// ArchiveThread stages that the thread which names is put away: a resolved one, or
// an active one that idle reports to be idle.
func ArchiveThread(tx *fs.Tx, which, by string, at time.Time, idle func(Thread) bool) (Thread, error) {
	t, err := FindThread(tx, which)
	switch {
	case err != nil:
		return t, err
	case t.Status != Resolved && !(t.Status == Active && idle(t)):
		return t, &Misstep{t, "archive"}
	}
	return t, t.Archive(tx, by, at)
}

// Archive stages that the thread is put away.
func (t *Thread) Archive(tx *fs.Tx, by string, at time.Time) error {
	t.Status, t.Archived = Archived, schema.FormatTime(at)
	return t.change(tx, Archived, by, at)
}

// CondenseThread stages that a condensation came of the thread which names: the
// name of its file. An active thread is resolved by that.
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

// updated is what a change is called that brings a record no further.
const updated = "updated"
