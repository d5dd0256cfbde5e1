package session

import (
	"bytes"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// AddOverview inserts an overview before the summary of the given compaction in the first line of a
// conversation. It returns src unless that line is the summary of this compaction. The argument
// more is the number of tokens of the overview, which is added to those of the line.
func AddOverview(src []byte, compaction, overview string, more int) ([]byte, error) {
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
