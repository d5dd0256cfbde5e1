package session

import (
	"bytes"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Retold puts an overview before the summary of a compaction that stands at the
// head of a conversation, and leaves all other lines as they are. Where another
// compaction stands there, or none, it is src. What the overview adds to the
// tokens that the line says it costs is more.
func Retold(src []byte, compaction, overview string, more int) ([]byte, error) {
	head, rest, _ := bytes.Cut(src, []byte("\n"))
	lines := Read(head)
	c, ok := LastCompaction(lines)
	if !ok || c.ID != compaction {
		return src, nil
	}
	m := lines[0].Message
	out := head
	for _, set := range []struct {
		pointer string
		value   any
	}{{"/content", overview + "\n\n" + m.Content}, {"/tokens", int(m.Tokens) + more}} {
		value, err := jsonedit.Value(set.value)
		if err != nil {
			return nil, err
		}
		if out, err = jsonedit.Set(out, set.pointer, value); err != nil {
			return nil, err
		}
	}
	return append(append(bytes.Clone(out), '\n'), rest...), nil
}
