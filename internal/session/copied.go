package session

import (
	"cmp"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// maxCopied is the maximum size, in bytes, of a window that is copied.
const maxCopied = 8 << 20

func copyName(home string) string { return fs.LocalName(home, "acted", "window.jsonl") }

// WithCopy returns k with a copy of the window src, which it stages in a home: durably, or as what may be lost
// in a crash. There is one copy, of the live conversation.
func (k Look) WithCopy(tx *fs.Tx, home string, src []byte, durably bool) Look {
	if k.Copy = ""; len(src) == 0 || len(src) > maxCopied {
		return k
	}
	k.Copy = hash(string(src))
	if durably {
		tx.Restore(copyName(home), src)
	} else {
		tx.Jot(copyName(home), src)
	}
	return k
}

// Gone returns the messages that the window of k held when it was copied, and that neither its file, which
// holds src now, nor the archive beside it holds: some other program took them out.
func (k Look) Gone(r fs.Reader, src []byte) ([]Line, error) {
	if k.Copy == "" {
		return nil, nil
	}
	var left []byte
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		if text, err := r.Read(copyName(home)); err == nil && hash(string(text)) == k.Copy {
			left = text
		}
	}
	gone := missingFrom(Read(left), src)
	if len(gone) == 0 {
		return nil, nil
	}
	archive, err := stored(r, ArchiveFile(path.Base(path.Dir(k.Stamp.Name))))
	if err != nil {
		return nil, err
	}
	return missingFrom(gone, archive), nil
}

// missingFrom returns the messages among lines that a conversation does not hold, not even edited.
func missingFrom(lines []Line, src []byte) (missing []Line) {
	held := map[string]bool{"": true}
	for _, m := range Messages(Read(src)) {
		text, id, _ := strings.Cut(mark(m), " ")
		held[text] = true
		held[id] = true
	}
	for _, line := range lines {
		if line.Message == nil {
			continue
		}
		text, id, _ := strings.Cut(mark(*line.Message), " ")
		if !held[text] && (id == "" || !held[id]) {
			missing = append(missing, line)
		}
	}
	return missing
}

// ForArchive returns the message of a line as records of an archive: as it stands, but for a time without a
// zone, which becomes UTC, for an id that is taken, which becomes one that derives from what it says, and for
// what is too long for one record, which is split.
func ForArchive(line Line, taken map[string]bool) ([][]byte, error) {
	m, raw := *line.Message, line.Raw
	if m.ID == "" || taken[m.ID] {
		m.ID = schema.DerivedID("msg-", []byte(mark(m)))
	}
	m.Timestamp = cmp.Or(TimeAsOurs(m.Timestamp), m.Timestamp)
	if len(raw) > fs.MaxRecord {
		return encodeParts(m)
	}
	for _, member := range []struct{ pointer, was, is string }{
		{"/msg_id", line.Message.ID, m.ID}, {"/timestamp", line.Message.Timestamp, m.Timestamp},
	} {
		if member.was == member.is {
			continue
		}
		text, err := jsonedit.Value(member.is)
		if err != nil {
			return nil, err
		}
		if raw, err = jsonedit.Set(raw, member.pointer, text); err != nil {
			return nil, err
		}
	}
	return [][]byte{raw}, nil
}

// encodeParts returns the lines of the parts of a message.
func encodeParts(m schema.Message) ([][]byte, error) {
	parts, err := Split(m)
	if err != nil {
		return nil, err
	}
	lines := make([][]byte, len(parts))
	for i, part := range parts {
		if lines[i], err = Encode(part); err != nil {
			return nil, err
		}
	}
	return lines, nil
}
