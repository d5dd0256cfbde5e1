package condense

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
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
	all, _, err := records(tx)
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

// newThread stages the record of a thread that is not there yet.
func newThread(tx *fs.Tx, home string, t schema.Thread) (Thread, error) {
	made := Thread{Thread: t, File: fmt.Sprintf("%s/%s/%s/%s.json", home, threadsDir, t.Channel, stemOf(t.Title, t.ID)), Last: momentOf(t.Opened)}
	return made, made.write(tx)
}

func (t *Thread) write(tx *fs.Tx) error {
	text, err := jsonedit.Marshal(t.Thread)
	if err != nil {
		return fmt.Errorf("thread %s: %w", t.ID, err)
	}
	tx.Write(t.File, text)
	return nil
}

// Post stages a message of the active thread that which names, and returns it as
// stored (in parts where it is long) and the kinds of the secrets that were masked
// in it. The
// record stays as it is: whoever spoke takes part, and two branches can both post.
func Post(tx *fs.Tx, which string, m schema.Message, terms session.Terms) (t Thread, posted []schema.Message, masked []string, err error) {
	if t, err = FindThread(tx, which); err != nil {
		return t, nil, nil, err
	}
	if t.Status != Active {
		return t, nil, nil, &Misstep{t, "post to"}
	}
	if posted, masked, err = appendTalk(tx, t.Talk(), []schema.Message{m}, terms); err != nil {
		return t, nil, nil, err
	}
	_, err = t.hear(tx)
	return t, posted, masked, err
}

// appendTalk stages messages for the end of the conversation at name.
func appendTalk(tx *fs.Tx, name string, messages []schema.Message, terms session.Terms) (added []schema.Message, masked []string, err error) {
	src, err := readOr(tx, name, nil)
	if err != nil {
		return nil, nil, err
	}
	if added, masked, err = terms.Admit(src, messages); err != nil {
		return nil, nil, err
	}
	for _, m := range added {
		line, err := session.Encode(m)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		tx.Append(name, line)
	}
	return added, masked, nil
}

// ResolveThread stages that the active thread which names came to a conclusion.
func ResolveThread(tx *fs.Tx, which string, at time.Time) (Thread, error) {
	t, err := FindThread(tx, which)
	switch {
	case err != nil:
		return t, err
	case t.Status != Active:
		return t, &Misstep{t, "resolve"}
	}
	t.Status, t.Resolved = Resolved, schema.FormatTime(at)
	return t, t.stage(tx)
}

// ArchiveThread stages that the thread which names is put away: a resolved one, or
// an active one in which nothing happened for IdleDays.
func ArchiveThread(tx *fs.Tx, which string, at time.Time) (Thread, error) {
	t, err := FindThread(tx, which)
	switch {
	case err != nil:
		return t, err
	case t.Status != Resolved && !(t.Status == Active && t.idle(at)):
		return t, &Misstep{t, "archive"}
	}
	t.Status, t.Archived = Archived, schema.FormatTime(at)
	return t, t.stage(tx)
}

// ArchiveDue stages that all threads are put away that are Due.
func ArchiveDue(tx *fs.Tx, at time.Time) ([]Thread, error) {
	all, _, err := Threads(tx)
	if err != nil {
		return nil, err
	}
	due := Due(all, at)
	for i := range due {
		due[i].Status, due[i].Archived = Archived, schema.FormatTime(at)
		if err := due[i].stage(tx); err != nil {
			return nil, err
		}
	}
	return due, nil
}

// CondenseThread stages that a condensation came of the thread which names: the
// name of its file.
func CondenseThread(tx *fs.Tx, which, condensation string) (Thread, error) {
	t, err := FindThread(tx, which)
	if err != nil {
		return t, err
	}
	t.Condensation = condensation
	return t, t.stage(tx)
}

// stage brings the thread's record to how t stands: a member that differs is set,
// and every other byte stays.
func (t *Thread) stage(tx *fs.Tx) error {
	src, err := readOr(tx, t.File, nil)
	if err != nil {
		return err
	}
	t.Last = later(later(t.Last, momentOf(t.Resolved)), momentOf(t.Archived))
	if src == nil {
		return t.write(tx)
	}
	members := []struct {
		name  string
		value any
		there bool
	}{
		{"status", t.Status, true},
		{"participants", t.Participants, len(t.Participants) > 0},
		{"resolved", t.Resolved, t.Resolved != ""},
		{"archived", t.Archived, t.Archived != ""},
		{"condensation", t.Condensation, t.Condensation != ""},
	}
	for _, m := range members {
		if !m.there {
			continue
		}
		value, err := jsonedit.Value(m.value)
		if err == nil {
			src, err = jsonedit.Set(src, "/"+m.name, value)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.File, err)
		}
	}
	tx.Write(t.File, src)
	return nil
}
