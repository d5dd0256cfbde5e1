package session

import (
	"bytes"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// Replay marks m as a copy of what was said in the session that it names: another session
// begins with all of it, at new times. It is known again by its words, from whichever of
// both comes first.
func Replay(m *schema.Message) {
	if len(m.Metadata) == 0 {
		m.Metadata = []byte("{}")
	}
	if with, err := jsonedit.Set(m.Metadata, "/replayed", []byte("true")); err == nil {
		m.Metadata = with
	}
}

// isReplay reports whether m bears the mark of Replay.
func isReplay(m *schema.Message) bool {
	var marks struct {
		Replayed bool `json:"replayed"`
	}
	return bytes.Contains(m.Metadata, []byte(`"replayed"`)) && jsonedit.Decode(m.Metadata, &marks) == nil && marks.Replayed
}

// replayedAlready are the messages of in, by index, that are copies of what stands in the
// conversation src, or of which a copy stands there. Each there stands for one. known says
// of an id that it is there.
func replayedAlready(src []byte, in []schema.Message, known func(id string) bool) map[int]bool {
	copies := bytes.Contains(src, []byte(`"replayed"`))
	for i := range in {
		copies = copies || isReplay(&in[i])
	}
	if !copies {
		return nil
	}
	said, again := map[string]int{}, map[string]int{} // how often it stands there, and how often as a copy
	for _, line := range Read(src) {
		if line.Err == nil && line.Message.Session != "" {
			said[wordsOf(line.Message)]++
			if isReplay(line.Message) {
				again[wordsOf(line.Message)]++
			}
		}
	}
	already := map[int]bool{}
	for i := range in {
		if m := &in[i]; m.Session != "" && !known(m.ID) {
			there, words := again, wordsOf(m)
			if isReplay(m) {
				there = said
			}
			if there[words] > 0 {
				there[words]--
				already[i] = true
			}
		}
	}
	return already
}

// wordsOf is what is the same of a message and its copy.
func wordsOf(m *schema.Message) string {
	masked, _ := secret.Mask(m.Content)
	return strings.Join([]string{m.Session, m.Role, m.ToolName, plain(masked)}, "\x00")
}
