package hook

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"path"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/schema"
)

// hookMemory stores what hooks remember in the `.local/` of a tree. A repository may contain such
// files, so each is sealed with a key that only this user has. Without a key nothing is remembered.
type hookMemory struct {
	tree *fs.Tree
	key  []byte
}

// keyFile is the file with the key in the user's state directory.
const keyFile = "hook-key"

// The seal is the first member of a stored object.
const (
	sealed  = `{"seal":"`
	sealEnd = `",`
)

// mark returns the seal of a text at name.
func (k hookMemory) mark(name string, text []byte) []byte {
	mac := hmac.New(sha256.New, k.key)
	mac.Write([]byte(path.Base(name) + "\x00"))
	mac.Write(text)
	return []byte(hex.EncodeToString(mac.Sum(nil)))
}

// put stores a text, which is a JSON object, at name.
func (k hookMemory) put(name string, text []byte) error {
	if len(k.key) == 0 {
		return errForgetful
	}
	return k.tree.WriteDerived(name, bytes.Join([][]byte{[]byte(sealed), k.mark(name, text), []byte(sealEnd), text[1:]}, nil))
}

// get returns the text stored at name, or nil if there is none with a valid seal. The error is that
// of the system.
func (k hookMemory) get(name string) ([]byte, error) {
	src, err := k.tree.Read(name)
	if fs.IsUnread(err) {
		return nil, err
	}
	seal, rest, ok := bytes.Cut(bytes.TrimPrefix(src, []byte(sealed)), []byte(sealEnd))
	if err != nil || len(k.key) == 0 || !ok {
		return nil, nil
	}
	text := append([]byte("{"), rest...)
	if !hmac.Equal(seal, k.mark(name, text)) {
		return nil, nil
	}
	return text, nil
}

// harmless returns a memory that is safe to show. Its texts cannot close or open the markup around
// them, and none is longer than what is stored.
func (m memory) harmless() memory {
	turns := make([]turn, 0, len(m.Turns))
	for i, t := range m.Turns {
		if t.Open && i == len(m.Turns)-1 { // an open request keeps its lines
			t.Asked = cut(sanitize.Text(t.Asked), longRequest)
		} else {
			t.Asked = oneLine(t.Asked, shortAsked)
		}
		t.Said = eachOnOneLine(t.Said, shortSaid)
		turns = append(turns, t)
	}
	m.Turns, m.Decided = turns, eachOnOneLine(m.Decided, longDecided)
	return m
}

func eachOnOneLine(list []string, most int) []string {
	lines := make([]string, 0, len(list))
	for _, text := range list {
		if line := oneLine(text, most); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// forgetUnsaid removes the messages with the given ids from a memory.
func (m *memory) forgetUnsaid(taken map[string]bool) {
	var rest []schema.Message
	for _, said := range m.Unsaid {
		if !taken[said.ID] {
			rest = append(rest, said)
		}
	}
	m.Unsaid = rest
}
