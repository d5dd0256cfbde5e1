package condense

import (
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// MessagesSinceCondensed returns the messages after the last condensation among them, sorted by time.
func MessagesSinceCondensed(messages []schema.Message) []schema.Message {
	all := inTime(messages)
	for i, m := range slices.Backward(all) {
		if isCondensation(m.Content) {
			return all[i+1:]
		}
	}
	return all
}

// ChannelStretch returns the channel's own messages since the last condensation, and the name
// of their file. A channel can have messages below both folders. Those below home take
// precedence.
func ChannelStretch(r fs.Reader, home, channel string) (name string, said []schema.Message, faults []Fault, err error) {
	for _, below := range []string{home, otherHome(home)} {
		name = channelTalk(below, channel)
		said, faults, err = Talk(r, name)
		if err != nil || len(said) > 0 {
			return name, MessagesSinceCondensed(said), faults, err
		}
	}
	return channelTalk(home, channel), nil, faults, nil
}

func otherHome(home string) string {
	if home == fs.Forgemind {
		return fs.Quaid
	}
	return fs.Forgemind
}

// Close stages a condensation as the channel's newest message. The next stretch begins with it.
func Close(tx *fs.Tx, name string, c Condensation, by, at string, terms session.Terms) error {
	text := string(c.Markdown())
	_, _, err := addTalk(tx, name, []schema.Message{{
		ID: schema.DerivedID("msg-", []byte(by+"\n"+at+"\n"+text)), Timestamp: at, Agent: by, Role: "assistant", Kind: "summary", Content: text,
	}}, terms)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
