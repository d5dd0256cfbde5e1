package transcript

import (
	"encoding/json"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A part is a value of an export's JSON, of which any member may be missing or of
// another kind than it should be. The zero part is such a missing one.
type part struct {
	doc  *jsonedit.Doc
	node int
}

func readPart(text []byte) (part, error) {
	doc, err := jsonedit.Parse(text)
	if err != nil {
		return part{}, err
	}
	return part{doc, 0}, nil
}

// at is the value below p that a path of member names leads to.
func (p part) at(names ...string) part {
	for _, name := range names {
		if p.doc == nil || p.doc.Nodes[p.node].Kind != jsonedit.Object {
			return part{}
		}
		i := p.doc.Member(p.node, name)
		if i < 0 || p.doc.Nodes[i].Kind == jsonedit.Null {
			return part{}
		}
		p.node = i
	}
	return p
}

func (p part) has(names ...string) bool { return p.at(names...).doc != nil }

// text is a string or the digits of a number; "" for anything else.
func (p part) text(names ...string) string {
	v := p.at(names...)
	if v.doc == nil {
		return ""
	}
	if v.doc.Nodes[v.node].Kind == jsonedit.Number {
		return string(v.doc.Raw(v.node))
	}
	s, _ := v.doc.Str(v.node)
	return s
}

func (p part) isTrue(names ...string) bool {
	v := p.at(names...)
	return v.doc != nil && string(v.doc.Raw(v.node)) == "true"
}

// list are the elements of an array, or the values of an object's members.
func (p part) list(names ...string) (all []part) {
	v := p.at(names...)
	if v.doc == nil {
		return nil
	}
	switch v.doc.Nodes[v.node].Kind {
	case jsonedit.Array, jsonedit.Object:
		for i := range v.doc.Children(v.node) {
			all = append(all, part{v.doc, i})
		}
	}
	return all
}

// key is the name that p has as a member.
func (p part) key() string { return p.doc.Key(p.node) }

// provenance is metadata that says where a message comes from. Members without a
// value are left out.
func provenance(source string, members ...string) json.RawMessage {
	all := map[string]string{"source": source}
	for i := 0; i+1 < len(members); i += 2 {
		if members[i+1] != "" {
			all[members[i]] = members[i+1]
		}
	}
	text, err := jsonedit.Value(all)
	if err != nil {
		panic(err) // texts
	}
	return text
}
