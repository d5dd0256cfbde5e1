package condense

import (
	"cmp"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// An Imported counts what was taken in of an export.
type Imported struct {
	Channel string
	Added   int      // messages
	Skipped int      // messages that were there already
	Edited  int      // of those, messages whose words are others now; the first ones stay
	Masked  []string // the kinds of the secrets that were masked
	Threads []ImportedThread
}

// An ImportedThread counts what was taken in of one thread.
type ImportedThread struct {
	Thread
	New   bool `json:"new"`
	Added int  `json:"added"`
}

// Import stages the messages of an export for a channel and its threads. What is
// there already is skipped: taking in an export twice, or a longer one of the same
// channel, adds what is new. A thread begins with the message that it is about; if
// that was taken in before anybody replied, it stands in the channel as well.
func Import(tx *fs.Tx, home string, e transcript.Export, channel string, terms session.Terms) (Imported, error) {
	done := Imported{Channel: ChannelID(channel)}
	all, _, err := listThreads(tx)
	if err != nil {
		return done, err
	}
	for _, talk := range e.Talks {
		if talk.Key == "" {
			if _, err := done.take(tx, channelTalk(home, channel), talk.Messages, terms); err != nil {
				return done, err
			}
			continue
		}
		id := schema.DerivedID("thread-", []byte(e.Format+"\x00"+talk.Key))
		var t ImportedThread
		if i := slices.IndexFunc(all, func(t Thread) bool { return t.ID == id }); i >= 0 {
			t.Thread = all[i]
		} else if t.Thread, err = newThread(tx, home, threadOf(id, done.Channel, talk)); err != nil {
			return done, err
		} else {
			t.New = true
		}
		if t.Added, err = done.take(tx, t.Talk(), talk.Messages, terms); err != nil {
			return done, err
		}
		if _, err := t.hear(tx); err != nil {
			return done, err
		}
		done.Threads = append(done.Threads, t)
	}
	return done, nil
}

// threadOf is the record of a thread that an export holds.
func threadOf(id, channel string, talk transcript.ExportedTalk) schema.Thread {
	t := Thread{Thread: schema.Thread{ID: id, Channel: channel, Status: Active}}
	t.Title, _ = secret.Mask(cmp.Or(single(talk.Title), id))
	if len(talk.Messages) > 0 {
		t.Opened = talk.Messages[0].Timestamp
	}
	for _, m := range talk.Messages {
		t.meet(m.Agent)
	}
	return t.Thread
}

// take stages those messages for the conversation at name that it has not yet.
func (done *Imported) take(tx *fs.Tx, name string, messages []schema.Message, terms session.Terms) (added int, err error) {
	known, _, err := Talk(tx, name)
	if err != nil {
		return 0, err
	}
	there := map[string]string{}
	for _, m := range known {
		there[m.ID] = m.Content
	}
	var fresh []schema.Message
	for _, m := range messages {
		before, ok := there[m.ID]
		if !ok {
			fresh = append(fresh, m)
			there[m.ID] = m.Content
			continue
		}
		done.Skipped++
		if now, _ := secret.Mask(strings.ToValidUTF8(m.Content, "\uFFFD")); now != before && m.Content != before {
			done.Edited++
		}
	}
	masked, err := appendTalk(tx, name, fresh, terms)
	done.Added += len(fresh)
	done.Masked = append(done.Masked, masked...)
	return len(fresh), err
}
