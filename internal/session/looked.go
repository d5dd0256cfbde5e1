package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Look tells how a conversation stood when a working copy looked at it last.
type Look struct {
	Stamp fs.Stamp `json:"stamp"`           // of its file: only Name and Size if nobody saw it since it was written
	Until string   `json:"until,omitempty"` // the latest time of a message
	Last  []string `json:"last"`            // what tells its last messages, oldest first: see mark

	// Waiting tells those that others added and that could not be acted on.
	Waiting []string `json:"waiting,omitempty"`

	// Kept tells of messages that others took out of its window, the last ones: the hash of the line there, and of
	// that in the archive.
	Kept [][2]string `json:"kept,omitempty"`
}

// Looks holds the Looks of a working copy, the last one first.
type Looks struct {
	Version int    `json:"version"`
	All     []Look `json:"conversations"`
}

const (
	looksVersion = 1
	mostLooks    = 16
	mostKept     = 128
	mostLast     = 64      // more than a window holds, so that those that were left in one that was rewritten are known
	largeTalk    = 1 << 20 // bytes: a conversation of that size that nobody saw since it was written is believed by its size
)

func looksName(home string) string { return fs.LocalName(home, "acted", "conversations.json") }

// ReadLooks returns the Looks of a working copy; none if their file is torn or of another version.
func ReadLooks(r fs.Reader) Looks {
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		var l Looks
		if src, err := r.Read(looksName(home)); err == nil && jsonedit.Decode(src, &l) == nil && l.Version == looksVersion {
			return l
		}
	}
	return Looks{}
}

// Conversations returns the Names of the conversations that others are heard in: the live one, and that of a tree
// without sessions.
func Conversations(r fs.Reader) ([]string, error) {
	live, err := LiveName(r)
	return slices.Compact([]string{live, fs.Messages}), err
}

// Unheard returns how many messages others added to conversations, or took out of the window of the live one,
// since the working copy looked at them.
func Unheard(tree *fs.Tree) (messages int) {
	looks := ReadLooks(tree)
	names, _ := Conversations(tree) // what cannot be read is for others to report
	for _, name := range names {
		k, known := looks.Of(name)
		if now := StampOf(tree, name); !known || k.Holds(now) || now.Size > MostHeard {
			continue
		}
		if src, err := tree.ReadUnsettled(name); err == nil {
			messages += len(k.New(src))
			if name != fs.Messages {
				w, _ := k.Rewriting(tree, src)
				messages += len(w.Gone)
			}
		}
	}
	return messages
}

// Of returns the Look at a conversation; false if there was none.
func (l Looks) Of(name string) (Look, bool) {
	i := slices.IndexFunc(l.All, func(k Look) bool { return k.Stamp.Name == name })
	if i < 0 {
		return Look{Stamp: fs.Stamp{Name: name}}, false
	}
	return l.All[i], true
}

// With returns l with a Look.
func (l Looks) With(k Look) Looks {
	rest := slices.DeleteFunc(slices.Clone(l.All), func(other Look) bool { return other.Stamp.Name == k.Stamp.Name })
	return Looks{looksVersion, append([]Look{k}, rest[:min(len(rest), mostLooks-1)]...)}
}

// Keep stages the Looks in a home, if they are new: durably, or as what may be lost in a crash.
func (l Looks) Keep(tx *fs.Tx, home string, durably bool) error {
	text, err := jsonedit.Marshal(l)
	if err != nil {
		return err
	}
	switch kept, err := tx.Read(looksName(home)); {
	case err == nil && bytes.Equal(kept, text):
	case durably:
		tx.Write(looksName(home), text)
	default:
		tx.Jot(looksName(home), text)
	}
	return nil
}

// StampOf returns the stamp of a conversation that stands in a tree, without a time if that cannot be
// believed.
func StampOf(tree *fs.Tree, name string) fs.Stamp {
	s, err := tree.StampOf(name)
	if err == nil {
		s.Size = max(s.Size, 0) // something else than a file is none
		return s
	}
	s = fs.Stamp{Name: name, Size: -1}
	if is, err := tree.Look(name); err == nil {
		s.Size = is.Size()
	}
	return s
}

// Holds reports whether a conversation stands as it did, as far as its stamp tells.
func (k Look) Holds(now fs.Stamp) bool {
	if k.Stamp.Size == now.Size && (now.Size == 0 || now.Size > largeTalk && k.Stamp.Written == 0) {
		return true
	}
	return now.Written != 0 && k.Stamp == now
}

// MostHeard is the maximum size, in bytes, of a conversation that is read for what others added to it.
const MostHeard = 64 << 20

// New returns the messages of the conversation src that were added to it since, in order.
func (k Look) New(src []byte) []Line {
	for size := 256 << 10; ; size *= 4 {
		part := lastLines(src, size)
		news, met := k.newIn(Read(part))
		if met || len(part) == len(src) {
			return news
		}
	}
}

// newIn is New for lines at the end of a conversation. It reports whether all of k.Last are among them.
func (k Look) newIn(lines []Line) (news []Line, met bool) {
	texts, ids, missing := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, mark := range k.Last {
		text, id, _ := strings.Cut(mark, " ")
		texts[text], ids[id], missing[text] = true, id != "", true
	}
	behind := false
	waits := func(line Line) bool { return slices.Contains(k.Waiting, mark(*line.Message)) }
	for _, line := range lines {
		if line.Message == nil {
			continue
		}
		text, id, _ := strings.Cut(mark(*line.Message), " ")
		switch {
		case waits(line):
			news = append(news, line)
		case texts[text] || ids[id]: // the same, or what somebody edited
			if !behind { // what stands before it was there before
				behind, news = true, slices.DeleteFunc(news, func(line Line) bool { return !waits(line) })
			}
			delete(missing, text)
		case behind || k.mayBeNew(line.Message.Timestamp):
			news = append(news, line)
		}
	}
	return news, behind && len(missing) == 0
}

// mayBeNew reports whether a message of that time may have been added to a conversation in which none of
// k.Last is left. Times without a zone may be off by most of a day.
func (k Look) mayBeNew(at string) bool {
	const zones = 24 * time.Hour
	until, err := schema.ParseTime(k.Until)
	if err != nil {
		return true
	}
	t, err := schema.ParseTime(at)
	return err == nil && t.After(until.Add(-zones))
}

// Now returns the Look at the conversation src, after k, as if those of unheard were not in it. Of one
// that was emptied it knows what it held.
func (k Look) Now(src []byte, unheard []Line) Look {
	k.Stamp, k.Waiting = fs.Stamp{Name: k.Stamp.Name, Size: int64(len(src))}, nil
	for _, line := range unheard {
		k.Stamp.Size, k.Waiting = -1, append(k.Waiting, mark(*line.Message))
	}
	for size := 64 << 10; ; size *= 4 {
		part := lastLines(src, size)
		messages := slices.DeleteFunc(Messages(Read(part)), func(m schema.Message) bool { return slices.Contains(k.Waiting, mark(m)) })
		if len(messages) < mostLast && len(part) < len(src) {
			continue
		}
		if len(messages) > 0 {
			k.Last = nil
		}
		return k.then(messages)
	}
}

// Added returns the Look at the conversation that k holds with lines at its end, each with its newline.
func (k Look) Added(lines []byte) Look {
	k.Stamp = fs.Stamp{Name: k.Stamp.Name, Size: k.Stamp.Size + int64(len(lines))}
	return k.then(Messages(Read(lines)))
}

// then returns k with messages behind its last.
func (k Look) then(messages []schema.Message) Look {
	k.Last = slices.Clone(k.Last)
	for _, m := range messages[max(0, len(messages)-mostLast):] {
		k.Last = append(k.Last, mark(m))
		k.Until = Later(k.Until, m.Timestamp)
	}
	k.Last = k.Last[max(0, len(k.Last)-mostLast):]
	return k
}

// lastLines returns the last whole lines of src, of about so many bytes.
func lastLines(src []byte, size int) []byte {
	if size >= len(src) {
		return src
	}
	rest := src[len(src)-size:]
	return rest[bytes.IndexByte(rest, '\n')+1:]
}

// mark returns what tells a message from others: a hash of all that it says, and where it has an id and a
// time one of these, by which it is known if its text is edited.
func mark(m schema.Message) string {
	at := m.Timestamp
	if t, err := schema.ParseTime(at); err == nil {
		at = schema.FormatTime(t)
	}
	mark := hash(m.ID, at, m.Agent, m.Content)
	if m.ID != "" && at != "" {
		mark += " " + hash(m.ID, at)
	}
	return mark
}

// markText returns the part of the mark of a message that tells all that it says.
func markText(m schema.Message) string {
	text, _, _ := strings.Cut(mark(m), " ")
	return text
}

// hash returns 8 bytes of the hash of texts, in hexadecimal.
func hash(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
