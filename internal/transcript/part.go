package transcript

import (
	"bytes"
	"fmt"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// ReadPart reads what was appended to a transcript that a tool writes line by line. The parts
// together give the same messages as the whole. before is the text before the part, or the end of
// it: the part may refer to tool calls and messages there. The transcript must be that of the
// conversation with the user; a subagent has a file of its own.
func ReadPart(tool string, before, part []byte) (Transcript, error) {
	if len(before)+len(part) > jsonedit.MaxSize {
		return Transcript{}, fmt.Errorf("it has %d bytes, of %d at most", len(before)+len(part), jsonedit.MaxSize)
	}
	before, part = clean(before), clean(part)
	im := newIntake(append(bytes.Clone(before), part...))
	im.from, im.talk = len(before), true
	return im.read(tool)
}

// part removes from whole everything before the part.
func (im *intake) part(whole Transcript) Transcript {
	if im.from == 0 {
		return whole
	}
	whole.Messages = whole.Messages[im.old:]
	if whole.Stated -= im.old; whole.Stated <= 0 {
		whole.Usage, whole.Stated = nil, 0
	}
	var faults []Fault
	for _, f := range whole.Faults {
		if f.offset >= im.from {
			faults = append(faults, f)
		}
	}
	whole.Faults, whole.Unread = faults, len(faults)
	return whole
}
