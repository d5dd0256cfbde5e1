package session

import (
	"bytes"
	"errors"
	iofs "io/fs"
	"path"
	"slices"
	"strings"
	"time"

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
	if held, err := tx.Read(copyName(home, name)); err == nil && bytes.Equal(held, src) || err != nil && len(src) == 0 {
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
	var left []byte
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		if text, err := r.Read(copyName(home, k.Stamp.Name)); err == nil && len(text) > 0 {
			left = text
		}
	}
	before := Read(left)
	was, isCompacted := LastCompaction(before)
	if is, ok := LastCompaction(window); ok != isCompacted || is.ID != was.ID {
		return w, nil // a compaction, or what took it back, moved its messages
	}
	w.Gone = k.gone(before, window, Read(w.Archive))
	return w, nil
}

// notAgain returns an archive without the messages that the window of the session holds, and without those that
// stand in it before. Only what has an id and a time can be told from another message in the same words.
func (k Look) notAgain(archive []byte, window []Line) (rest []byte, changed bool) {
	again := map[string]bool{}
	for _, line := range window {
		if line.Message != nil && line.Message.ID != "" && line.Message.Timestamp != "" {
			again[hash(string(line.Raw))] = true
		}
		if i := slices.IndexFunc(k.Kept, func(kept [2]string) bool { return kept[0] == hash(string(line.Raw)) }); i >= 0 {
			again[k.Kept[i][1]] = true
		}
	}
	seen := map[string]bool{}
	for line := range bytes.Lines(archive) {
		raw := bytes.TrimSuffix(line, []byte("\n"))
		sum := hash(string(raw))
		if again[sum] || seen[sum] {
			changed = true
			continue
		}
		if doc, err := jsonedit.Parse(raw); err == nil {
			if m, err := ParseMessage(doc); err == nil && m.ID != "" && m.Timestamp != "" {
				seen[sum] = true
			}
		}
		rest = append(rest, line...)
	}
	if !changed {
		return archive, false
	}
	return rest, true
}

// gone returns the messages of a window as it was that neither the window nor the archive holds, each with the
// time of the one before where it has none. What has other words under the same id and time was edited; what has
// the same words at the same second under another id was counted anew.
func (k Look) gone(before, window, archive []Line) (gone []Line) {
	edited, archived := map[string]bool{}, map[string]bool{}
	said := map[string][]string{} // the times at which the window holds the same words of one speaker
	for _, m := range Messages(window) {
		if m.ID != "" && m.Timestamp != "" {
			edited[m.ID+" "+second(m.Timestamp)] = true
		}
		said[m.Agent+"\x00"+m.Content] = append(said[m.Agent+"\x00"+m.Content], second(m.Timestamp))
	}
	for _, line := range archive {
		if line.Message != nil {
			archived[hash(string(line.Raw))] = true
			text, _, _ := strings.Cut(mark(*line.Message), " ")
			archived[text] = true
		}
	}
	for _, kept := range k.Kept {
		if archived[kept[1]] {
			archived[kept[0]] = true
		}
	}
	var at string
	seen := map[string]bool{}
	for _, line := range before {
		if line.Message == nil || seen[string(line.Raw)] {
			continue
		}
		seen[string(line.Raw)] = true
		m := *line.Message
		text, _, _ := strings.Cut(mark(m), " ")
		words, now := m.Agent+"\x00"+m.Content, second(m.Timestamp)
		same := slices.IndexFunc(said[words], func(at string) bool { return at == now || at == "" || now == "" })
		if same >= 0 {
			said[words] = slices.Delete(said[words], same, same+1)
		}
		if now != "" {
			at = m.Timestamp
		} else {
			m.Timestamp = at
		}
		if same < 0 && !archived[hash(string(line.Raw))] && !archived[text] && (now == "" || !edited[m.ID+" "+now]) {
			line.Message = &m
			gone = append(gone, line)
		}
	}
	return gone
}

// second returns a time to the second, in UTC; "" for what is none.
func second(at string) string {
	t, err := schema.ParseTime(at)
	if err != nil {
		return ""
	}
	return t.UTC().Format(time.DateTime)
}

// ForArchive returns a line of Rewriting.Gone as records of an archive: as it stands, but for an id that lacks or
// is taken, which becomes one that derives from what the message says, for a time that lacks, for secrets, and for
// what is too long for one record, which is split.
func ForArchive(line Line, taken map[string]bool) ([][]byte, error) {
	m, raw := *line.Message, line.Raw
	if m.ID == "" || taken[m.ID] {
		m.ID = schema.DerivedID("msg-", []byte(mark(m)))
	}
	m.Content, _ = secret.Mask(m.Content)
	if len(raw) > fs.MaxRecord {
		return encodeParts(m)
	}
	was, err := jsonedit.Parse(raw)
	if err != nil {
		return nil, err
	}
	old, err := ParseMessage(was)
	if err != nil {
		return nil, err
	}
	for _, member := range []struct{ pointer, was, is string }{
		{"/msg_id", old.ID, m.ID}, {"/timestamp", old.Timestamp, m.Timestamp}, {"/content", old.Content, m.Content},
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

// Keeping returns k, which notes that a line which is gone from its window stands in the archive as record.
func (k Look) Keeping(line Line, record []byte) Look {
	k.Kept = append(slices.Clip(k.Kept), [2]string{hash(string(line.Raw)), hash(string(record))})
	k.Kept = k.Kept[max(0, len(k.Kept)-mostKept):]
	return k
}
