package recall

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// maxLine is the maximum length of a line that is read, in bytes.
const maxLine = 8 << 20

// A key identifies a text: texts with the same key are the same.
type key uint64

// keyOf returns the key of a message, from its id and content, or that of a fragment, from
// its whole file.
func keyOf(name string, content []byte) key {
	var room [512]byte
	text := append(append(room[:0], name...), 0)
	sum := sha256.Sum256(append(text, content...))
	return key(binary.LittleEndian.Uint64(sum[:]))
}

// spoken holds the members of a conversation's line that an index uses.
type spoken struct {
	words string // the speaker's name and the content
	turn  relevance.Turn
	time  int64 // milliseconds since 1970
	timed bool  // it has a time
	key   key
}

// speech decodes a line of a conversation. It returns false if the line is no message, or one
// without content, or a summary of others.
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
			s.words = name + ": " + content // so that "what did Sarah say" finds the message
			if !isTools(doc) {
				s.turn = relevance.NewTurn(name, content)
			}
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

// isTools reports whether a message is a tool call or its output.
func isTools(doc *jsonedit.Doc) bool {
	if at := doc.Member(0, "tool_name"); at >= 0 && doc.Nodes[at].Kind != jsonedit.Null {
		return true
	}
	at := doc.Member(0, "role")
	if at < 0 {
		return false
	}
	role, _ := doc.Str(at)
	return role == "tool"
}

// nameless are agents whose names are not indexed.
var nameless = []string{"", "user", "assistant", "system", "tool"}

// words returns the text of a fragment for searches. Each entity is on a line of its
// own.
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
