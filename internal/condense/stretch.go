package condense

import (
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// Stretch is what was said after the last condensation that stands among the
// messages, in order of time.
func Stretch(messages []schema.Message) []schema.Message {
	all := inTime(messages)
	for i, m := range slices.Backward(all) {
		if isCondensation(m.Content) {
			return all[i+1:]
		}
	}
	return all
}

// ChannelStretch is the Stretch of a channel's own messages, and the Name of the
// file that they stand in. A channel may have messages below both folders; those
// below home come first.
func ChannelStretch(r fs.Reader, home, channel string) (name string, said []schema.Message, faults []Fault, err error) {
	for _, below := range []string{home, otherHome(home)} {
		name = channelTalk(below, channel)
		said, faults, err = Talk(r, name)
		if err != nil || len(said) > 0 {
			return name, Stretch(said), faults, err
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

// Close stages the condensation of a stretch as the channel's newest message,
// with which the next stretch begins.
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
