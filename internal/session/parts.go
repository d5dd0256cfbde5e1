package session

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// fs.Append takes 1 MiB a record. So much of it may be content, as JSON writes
// it; the other members have the rest.
const (
	maxPart = 960 << 10
	maxRest = 60 << 10
)

// A link is what the metadata of a part says.
type link struct {
	Part  int    `json:"part"`  // from 1
	Parts int    `json:"parts"` // how many there are
	Of    string `json:"of"`    // the id of the whole
}

// Split returns m alone where a record can hold it, else its parts: messages
// with a piece of the content each, in order, cut between characters. Their
// metadata says `part`, `parts` and `of`, the id of the whole, and their ids
// derive from it. What else m says stands in each, its metadata in the first;
// tokens are left out.
func Split(m schema.Message) ([]schema.Message, error) {
	pieces := split(m.Content, maxPart)
	rest := m
	rest.Content = ""
	line, err := Encode(rest)
	if err != nil {
		return nil, err
	}
	if len(line) > maxRest {
		return nil, fmt.Errorf("message %s: without its content it still takes %d bytes, of %d at most", cut(m.ID), len(line), maxRest)
	}
	if len(pieces) == 1 {
		return []schema.Message{m}, nil
	}
	parts := make([]schema.Message, len(pieces))
	for i, piece := range pieces {
		p := m
		p.ID = partID(m.ID, i+1)
		p.Content = piece
		p.Tokens, p.Counter = 0, ""
		if i > 0 || len(p.Metadata) == 0 {
			p.Metadata = json.RawMessage("{}")
		}
		if p.Metadata, err = linked(p.Metadata, link{i + 1, len(pieces), m.ID}); err != nil {
			return nil, fmt.Errorf("message %s: its metadata: %w", cut(m.ID), err)
		}
		parts[i] = p
	}
	return parts, nil
}

// Wholes is how many messages there are, those in parts counted once.
func Wholes(messages []schema.Message) int {
	n := 0
	for _, m := range messages {
		var l link
		if len(m.Metadata) == 0 || jsonedit.Decode(m.Metadata, &l) != nil || l.Of == "" || l.Part == 1 {
			n++
		}
	}
	return n
}

func partID(of string, part int) string {
	return schema.DerivedID("msg-", fmt.Appendf(nil, "%s part %d", of, part))
}

func linked(metadata []byte, l link) ([]byte, error) {
	of, err := jsonedit.Value(l.Of)
	if err != nil {
		return nil, err
	}
	for _, member := range []struct{ pointer, value string }{
		{"/part", fmt.Sprint(l.Part)}, {"/parts", fmt.Sprint(l.Parts)}, {"/of", string(of)},
	} {
		if metadata, err = jsonedit.Set(metadata, member.pointer, []byte(member.value)); err != nil {
			return nil, err
		}
	}
	return metadata, nil
}

// split cuts text between characters into pieces that take limit bytes of JSON
// each at most.
func split(text string, limit int) (pieces []string) {
	start, size := 0, 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		cost := n
		switch {
		case r == '"' || r == '\\':
			cost = 2
		case r < ' ':
			cost = len(`\u0000`)
		case r == utf8.RuneError:
			cost = len("\uFFFD")
		}
		if size+cost > limit && i > start {
			pieces = append(pieces, text[start:i])
			start, size = i, 0
		}
		size += cost
		i += n
	}
	return append(pieces, text[start:])
}

// Join puts parts together again where all of them are there: the whole stands
// where the first part stood, under its own id. Everything else is returned as
// it is.
func Join(messages []schema.Message) []schema.Message {
	wholes := map[string][]int{} // by id: the indexes of the parts
	links := map[int]link{}
	for i, m := range messages {
		var l link
		if len(m.Metadata) == 0 || jsonedit.Decode(m.Metadata, &l) != nil || l.Of == "" || l.Part < 1 || l.Part > l.Parts || m.ID != partID(l.Of, l.Part) {
			continue
		}
		if l.Part == len(wholes[l.Of])+1 {
			wholes[l.Of] = append(wholes[l.Of], i)
			links[i] = l
		}
	}
	var out []schema.Message
	for i, m := range messages {
		l, ok := links[i]
		if parts := wholes[l.Of]; ok && len(parts) == l.Parts {
			if l.Part > 1 {
				continue
			}
			m = whole(messages, parts, l.Of)
		}
		out = append(out, m)
	}
	return out
}

func whole(messages []schema.Message, parts []int, id string) schema.Message {
	m := messages[parts[0]]
	m.ID = id
	for _, pointer := range []string{"/part", "/parts", "/of"} {
		if rest, err := jsonedit.Delete(m.Metadata, pointer); err == nil {
			m.Metadata = rest
		}
	}
	if string(m.Metadata) == "{}" {
		m.Metadata = nil
	}
	content, size := make([]byte, 0, len(parts)*maxPart), schema.Int(0)
	for _, at := range parts {
		content = append(content, messages[at].Content...)
		size += messages[at].Tokens
		if messages[at].Counter != m.Counter {
			size, m.Counter = 0, ""
		}
	}
	m.Content, m.Tokens = string(content), size
	return m
}
