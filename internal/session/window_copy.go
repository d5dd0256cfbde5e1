package session

import (
	"bytes"
	"cmp"
	"errors"
	iofs "io/fs"
	"path"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// maxCopied is the maximum size, in bytes, of a window that is copied.
const maxCopied = 8 << 20

// copyName returns where a home keeps a copy of the window at name.
func copyName(home, name string) string {
	return fs.LocalName(home, "acted", "windows", path.Base(path.Dir(name))+".jsonl")
}

// KeepCopy stages a copy of the window at name, which holds src, in a home: durably, or as what may be lost in a
// crash. A window that is too large has none.
func KeepCopy(tx *fs.Tx, home, name string, src []byte, durably bool) {
	if len(src) > maxCopied {
		src = nil
	}
	if held, err := readCopy(tx, name); err == nil && bytes.Equal(held, src) {
		return
	}
	if durably {
		tx.Restore(copyName(home, name), src)
	} else {
		tx.Jot(copyName(home, name), src)
	}
}

// A Rewriting tells what another program that wrote a window anew took out of it, and put into it again.
type Rewriting struct {
	Gone    []Line // messages that neither the window nor the archive holds, each with a time
	Archive []byte // without the messages that the window holds again, and without those that stand there twice
	Changed bool   // Archive differs from the file
}

// Rewriting compares the window of a session, which holds src, with the copy of it, and with the archive.
func (k Look) Rewriting(r fs.Reader, src []byte) (w Rewriting, err error) {
	w.Archive, err = r.Read(ArchiveFile(path.Base(path.Dir(k.Stamp.Name))))
	if err != nil && !errors.Is(err, iofs.ErrNotExist) {
		return Rewriting{}, err
	}
	window := Read(src)
	w.Archive, w.Changed = k.notAgain(w.Archive, window)
	before, err := readCopy(r, k.Stamp.Name)
	if err != nil || bytes.HasPrefix(src, before) {
		return w, err
	}
	lines := Read(before)
	was, _ := LastCompaction(lines)
	if is, ok := LastCompaction(window); ok && is.ID != was.ID {
		return w, nil // a compaction that was not copied moved its messages
	}
	if was.isTakenBack(src) {
		lines = lines[1:] // but for its summary, all is there again
	}
	w.Gone = k.notIn(Read(w.Archive), missing(lines, window))
	return w, nil
}

// readCopy returns the copy of the window at name; nothing if there is none.
func readCopy(r fs.Reader, name string) ([]byte, error) {
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		text, err := r.Read(copyName(home, name))
		if !errors.Is(err, iofs.ErrNotExist) {
			return text, err
		}
	}
	return nil, nil
}

// notAgain returns an archive without the messages that the window of the session holds. Once messages were taken
// out of that, it is without those that stand in it before, too. Only what has an id and a time can be told from
// another message in the same words.
func (k Look) notAgain(archive []byte, window []Line) (rest []byte, changed bool) {
	again, records := map[string]bool{}, map[string]bool{}
	for _, line := range window {
		if line.Message == nil || !isDistinct(*line.Message) {
			continue
		}
		again[string(line.Raw)] = true
		for _, kept := range k.Kept {
			if kept[0] == hash(string(line.Raw)) {
				records[kept[1]] = true
			}
		}
	}
	seen := map[string]bool{}
	for line := range bytes.Lines(archive) {
		raw := bytes.TrimSuffix(line, []byte("\n"))
		drop := again[string(raw)]
		if len(k.Kept) > 0 && !drop {
			sum := hash(string(raw))
			drop = records[sum] || seen[sum]
			if m := Messages(Read(raw)); len(m) == 1 && isDistinct(m[0]) {
				seen[sum] = true
			}
		}
		if drop {
			changed = true
		} else {
			rest = append(rest, line...)
		}
	}
	if !changed {
		return archive, false
	}
	return rest, true
}

// isDistinct reports whether a message can be told from others in the same words.
func isDistinct(m schema.Message) bool { return m.ID != "" && m.Timestamp != "" }

// missing returns the messages of a window as it was that it does not hold any more, each with the time of the one
// before where it has none. What has other words under the same id, speaker and time was edited; what has the same
// words of one speaker at the same time under another id was counted anew.
func missing(before, window []Line) (lines []Line) {
	edited, said := map[string][]string{}, map[string][]string{} // times, by what is the same
	for _, m := range Messages(window) {
		id, words := m.ID+"\x00"+m.Agent, m.Agent+"\x00"+m.Content
		edited[id], said[words] = append(edited[id], m.Timestamp), append(said[words], m.Timestamp)
	}
	var last string
	seen := map[string]bool{}
	for _, line := range before {
		if line.Message == nil || seen[markText(*line.Message)] {
			continue
		}
		m := *line.Message
		seen[markText(m)] = true
		words := m.Agent + "\x00" + m.Content
		same := func(at string) bool { return schema.SameTime(m.Timestamp, at) }
		may := func(at string) bool { return m.Timestamp == "" || at == "" || same(at) }
		if i := slices.IndexFunc(said[words], may); i >= 0 {
			said[words] = slices.Delete(said[words], i, i+1)
		} else if m.ID == "" || !slices.ContainsFunc(edited[m.ID+"\x00"+m.Agent], same) {
			if _, err := schema.ParseTime(m.Timestamp); err != nil {
				m.Timestamp = last
			}
			lines = append(lines, Line{Raw: line.Raw, Message: &m, At: line.At})
		}
		last = cmp.Or(schema.AsRFC3339(line.Message.Timestamp), last)
	}
	return lines
}

// IsSame reports whether two messages of one id are one message: a program that takes an id again says another time.
// Of those without an id the words tell.
func IsSame(m, other schema.Message) bool {
	if m.ID == "" && m.Content != other.Content {
		return false
	}
	return m.Timestamp == "" || other.Timestamp == "" || schema.SameTime(m.Timestamp, other.Timestamp)
}

// notIn returns those of lines of a window that its archive does not hold.
func (k Look) notIn(archive, lines []Line) []Line {
	held, records := map[string]bool{}, map[string]bool{}
	for _, line := range archive {
		if line.Message != nil {
			held[markText(*line.Message)], records[hash(string(line.Raw))] = true, true
		}
	}
	for _, kept := range k.Kept {
		if records[kept[1]] {
			held[kept[0]] = true
		}
	}
	return slices.DeleteFunc(lines, func(line Line) bool {
		was := Messages(Read(line.Raw))
		return held[markText(was[0])] || held[hash(string(line.Raw))]
	})
}

// ForArchive returns a line of Rewriting.Gone as records of an archive, and the id that the message has there. One
// that lacks, or is taken, derives from what the message says. Secrets are masked. What is too long for one record
// is split.
func ForArchive(line Line, taken map[string]bool) (records [][]byte, id string, err error) {
	m, raw := *line.Message, line.Raw
	if m.ID == "" || taken[m.ID] {
		m.ID = schema.DerivedID("msg-", []byte(mark(m)))
	}
	m.Content, _ = secret.Mask(m.Content)
	old := Messages(Read(raw))[0]
	for _, member := range []struct{ pointer, was, is string }{
		{"/msg_id", old.ID, m.ID}, {"/timestamp", old.Timestamp, m.Timestamp}, {"/content", old.Content, m.Content},
	} {
		if member.was == member.is {
			continue
		}
		text, err := jsonedit.Value(member.is)
		if err != nil {
			return nil, "", err
		}
		if raw, err = jsonedit.Set(raw, member.pointer, text); err != nil {
			return nil, "", err
		}
	}
	if len(raw) <= fs.MaxRecord {
		return [][]byte{raw}, m.ID, nil
	}
	parts, err := Split(m)
	for _, part := range parts {
		record, wrong := Encode(part)
		records, err = append(records, record), errors.Join(err, wrong)
	}
	return records, m.ID, err
}

// Keeping returns k, which notes that a line which is gone from its window stands in the archive as records.
func (k Look) Keeping(line Line, records [][]byte) Look {
	k.Kept = slices.Clone(k.Kept)
	for _, record := range records {
		k.Kept = append(k.Kept, [2]string{hash(string(line.Raw)), hash(string(record))})
	}
	k.Kept = k.Kept[max(0, len(k.Kept)-mostKept):]
	return k
}
