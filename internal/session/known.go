package session

import (
	"bytes"
	"maps"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// KnownFile is the name in `.local/` of the file with the sizes up to which conversations are known.
const KnownFile = "known.json"

// A Known holds, by the names of conversations' files, the size in bytes up to which their
// messages were read. Other programs appended the text beyond it.
type Known map[string]int64

// ReadKnown returns what is known of the conversations of a tree. It reports false if nothing was
// written yet.
func ReadKnown(r fs.Reader) (k Known, ok bool) {
	for _, folder := range []string{fs.Forgemind, fs.Quaid} {
		if src, err := r.Read(fs.LocalName(folder, KnownFile)); err == nil && jsonedit.Decode(src, &k) == nil {
			return k, true
		}
	}
	return nil, false
}

// Keep stages k below home if it differs from what is stored.
func (k Known) Keep(tx *fs.Tx, home string) error {
	if before, ok := ReadKnown(tx); ok && maps.Equal(before, k) {
		return nil
	}
	text, err := jsonedit.Marshal(k)
	if err != nil {
		return err
	}
	tx.Write(fs.LocalName(home, KnownFile), text)
	return nil
}

// Conversations returns the names of the files that other programs append messages to: that of the
// live conversation, and fs.Messages.
func Conversations(r fs.Reader) ([]string, error) {
	name, err := Conversation(r)
	if err != nil || name == fs.Messages {
		return []string{fs.Messages}, err
	}
	return []string{fs.Messages, name}, nil
}

// MaxSearched is the largest conversation, in bytes, that is searched for messages that other
// programs appended. A search reads the whole conversation into memory.
const MaxSearched = 256 << 20

// Appended returns the messages of the conversation src beyond the size that is known of it, and the
// size without an incomplete last line. It reports whether src was rewritten; then all messages are
// returned.
func Appended(src []byte, known int64) (messages []schema.Message, size int64, rewritten bool) {
	if known > int64(len(src)) || known > 0 && src[known-1] != '\n' && !bytes.HasPrefix(src[known:], []byte("\n")) {
		known, rewritten = 0, true
	}
	whole, tail := jsonedit.Tail(src)
	if size = int64(len(src)); tail == jsonedit.Torn {
		size = int64(whole)
	}
	return Messages(Read(src[min(known, size):size])), size, rewritten && size > 0
}
