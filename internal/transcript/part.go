package transcript

import (
	"bytes"
	"fmt"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// ReadPart reads what was added to a transcript of a tool that writes one
// line by line: the same messages come of it, part by part, as of the whole. before
// is what stands before the part, or the end of that, for what the part says of it:
// of a tool that was called there, of what was said there already. It is the talk
// with the user: a subagent's own is another file.
func ReadPart(tool string, before, part []byte) (Transcript, error) {
	if len(before)+len(part) > jsonedit.MaxSize {
		return Transcript{}, fmt.Errorf("it has %d bytes, of %d at most", len(before)+len(part), jsonedit.MaxSize)
	}
	before, part = clean(before), clean(part)
	rd := newReader(append(bytes.Clone(before), part...))
	rd.from, rd.talk = len(before), true
	return rd.read(tool)
}

// part takes what stood before the part out of what was read.
func (rd *reader) part(whole Transcript) Transcript {
	if rd.from == 0 {
		return whole
	}
	whole.Messages = whole.Messages[rd.old:]
	if whole.Stated -= rd.old; whole.Stated <= 0 {
		whole.Usage, whole.Stated = nil, 0
	}
	var faults []Fault
	for _, f := range whole.Faults {
		if f.offset >= rd.from {
			faults = append(faults, f)
		}
	}
	whole.Faults, whole.Unread = faults, len(faults)
	return whole
}
