package recall

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// maxLine is how long a line may be that is read, in bytes.
const maxLine = 8 << 20

// A key tells texts apart: those of one key are the same text.
type key uint64

// keyOf is the key of a message by what names it and what it says, and that of
// a fragment by all of its file.
func keyOf(name string, content []byte) key {
	var room [512]byte
	text := append(append(room[:0], name...), 0)
	sum := sha256.Sum256(append(text, content...))
	return key(binary.LittleEndian.Uint64(sum[:]))
}

// spoken is what an index asks of a line of a conversation.
type spoken struct {
	words string // who said it, by name, and what
	time  int64  // milliseconds since 1970
	timed bool   // it has a time
	key   key
}

// speech reads a line of a conversation. False where it holds no message, or one
// that nobody said: without content, or a summary of others.
func speech(doc *jsonedit.Doc, line []byte) (s spoken, ok bool) {
	if len(line) > maxLine || doc.Parse(line) != nil || len(doc.Duplicates) > 0 {
		return s, false
	}
	var texts [4]string
	for i, names := range [...][2]string{{"msg_id", "id"}, {"timestamp", "ts"}, {"content"}, {"kind"}} {
		at := doc.Member(0, names[0])
		if (at < 0 || doc.Nodes[at].Kind == jsonedit.Null) && names[1] != "" {
			at = doc.Member(0, names[1])
		}
		if at < 0 || doc.Nodes[at].Kind == jsonedit.Null {
			continue
		}
		if texts[i], ok = doc.Str(at); !ok {
			return s, false
		}
	}
	id, at, content, kind := texts[0], texts[1], texts[2], texts[3]
	s.words = content
	if agent := doc.Member(0, "agent"); agent >= 0 {
		if name, _ := doc.Str(agent); !slices.Contains(nameless, name) {
			s.words = name + ": " + content // so that "what did Sarah say" finds her
		}
	}
	if t, err := schema.ParseTime(at); err == nil {
		s.time, s.timed = t.UnixMilli(), true
	}
	if id == "" {
		id = at
	}
	s.key = keyOf(id, []byte(content))
	return s, kind != "summary" && strings.TrimSpace(content) != ""
}

// nameless are agents whom nobody asks for by name.
var nameless = []string{"", "user", "assistant", "system", "tool"}

// words is what a search compares of a fragment. Its entities stand on lines of
// their own.
func (f Fragment) words() string {
	var b strings.Builder
	b.WriteString(f.Title)
	for _, list := range [...][]string{f.Tags, f.Entities} {
		for _, text := range list {
			b.WriteString("\n" + text)
		}
	}
	b.WriteString("\n" + f.Body)
	return b.String()
}
