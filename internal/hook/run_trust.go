package hook

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	iofs "io/fs"
	"path"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/schema"
)

// memories are what hooks remember in the `.local/` of a tree. A repository may ship
// a file of that name; so each is sealed with what only this user knows. Without a
// key nothing is remembered.
type memories struct {
	tree *fs.Tree
	key  []byte
}

// keyFile holds the key, in the user's own folder of state.
const keyFile = "hook-key"

// keyIn returns the key in a folder of state; nil where nothing was remembered yet.
func keyIn(state string) ([]byte, error) {
	out, err := fs.OpenOutside(state)
	if errors.Is(err, iofs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer out.Close()
	if has, err := out.Has(keyFile); err != nil || !has {
		return nil, err
	}
	return fs.Secret(state, keyFile)
}

// The seal is the first member of what is kept.
const (
	sealed  = `{"seal":"`
	sealEnd = `",`
)

// mark is the seal of a text that stands at name.
func (k memories) mark(name string, text []byte) []byte {
	mac := hmac.New(sha256.New, k.key)
	mac.Write([]byte(path.Base(name) + "\x00"))
	mac.Write(text)
	return []byte(hex.EncodeToString(mac.Sum(nil)))
}

// put keeps a text, an object, at name.
func (k memories) put(name string, text []byte) error {
	if len(k.key) == 0 {
		return errForgetful
	}
	return k.tree.Derive(name, bytes.Join([][]byte{[]byte(sealed), k.mark(name, text), []byte(sealEnd), text[1:]}, nil))
}

// get is the text that was kept at name; nil where there is none that we wrote. Where
// the system does not give what stands there, that is an error.
func (k memories) get(name string) ([]byte, error) {
	src, err := k.tree.Read(name)
	if fs.Unread(err) {
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

// harmless is a memory as it may be shown: whoever wrote it, nothing in it closes or
// opens what stands around it, and none of it is longer than what is remembered.
func (m memory) harmless() memory {
	turns := make([]turn, 0, len(m.Turns))
	for i, t := range m.Turns {
		if t.Open && i == len(m.Turns)-1 { // it is told with its lines
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

// forgetUnsaid takes those that were said from a memory.
func (m *memory) forgetUnsaid(taken map[string]bool) {
	var rest []schema.Message
	for _, said := range m.Unsaid {
		if !taken[said.ID] {
			rest = append(rest, said)
		}
	}
	m.Unsaid = rest
}
