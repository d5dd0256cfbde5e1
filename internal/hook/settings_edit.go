package hook

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// add adds a value: the member at pointer, or the last element of an array if pointer ends in "-".
// It creates missing containers and returns their pointers in made. All other bytes are kept.
func (s *settings) add(pointer string, value []byte) (out []byte, made []string, err error) {
	container, rest := s.existing(pointer)
	n, want := s.doc.Nodes[container], jsonedit.Object
	if rest[0] == "-" {
		want = jsonedit.Array
	}
	if n.Kind != want {
		return nil, nil, s.fault(int(n.Start), want.String()+" is needed here, not "+n.Kind.String(), mendHint)
	}
	bare := s.bare()
	text, err := jsonedit.Set(bare, pointer, value)
	if err != nil {
		return nil, nil, s.refusal(container, err)
	}
	model, err := jsonedit.Parse(bare)
	if err != nil {
		return nil, nil, err
	}
	for i, token := range rest {
		if token != "-" {
			made = append(made, s.doc.Pointer(container)+"/"+strings.Join(rest[:i+1], "/"))
		}
	}
	if n.Len == 0 {
		m := model.Nodes[container]
		return s.fill(int(n.Start), int(n.End), text[m.Start+1:len(text)-(len(bare)-int(m.End))-1]), made, nil
	}
	last := container + 1
	for c := range s.doc.Children(container) {
		last = c
	}
	end := int(model.Nodes[last].End)
	return s.follow(int(s.doc.Nodes[last].End), text[end:len(text)-(len(bare)-end)]), made, nil
}

// existing returns the last existing container on the way to pointer, and the remaining names.
func (s *settings) existing(pointer string) (container int, rest []string) {
	tokens := strings.Split(pointer, "/")[1:]
	for k, token := range tokens {
		next := -1
		if token != "-" {
			next = s.doc.Find(s.doc.Pointer(container) + "/" + token)
		}
		if next < 0 {
			return container, tokens[k:]
		}
		container = next
	}
	return container, nil
}

const mendHint = "mend this place, and try again; nothing was changed"

// refusal returns the error for an edit at node i that failed.
func (s *settings) refusal(i int, err error) error {
	var wrong *jsonedit.PointerError
	if !errors.As(err, &wrong) {
		return err
	}
	where := int(s.doc.Nodes[i].Start)
	if len(s.doc.Duplicates) > 0 && strings.Contains(wrong.Msg, "duplicate member") {
		where = int(s.doc.Nodes[s.doc.Duplicates[0]].KeyStart)
	}
	return s.fault(where, wrong.Msg, mendHint)
}

// fill returns src with text inserted into the empty container [start, end), after its comments.
func (s *settings) fill(start, end int, inside []byte) []byte {
	var kept []byte
	if s.commented(start, end) {
		for _, c := range s.comments {
			if c[0] > start && c[1] < end {
				kept = s.src[start+1 : c[1]]
			}
		}
		if bytes.IndexByte(inside, '\n') < 0 {
			inside = append([]byte(eolOf(s.src)), inside...)
		}
	}
	return slices.Concat(s.src[:start+1], kept, inside, s.src[end-1:])
}

// follow returns src with a new child after the child that ends at end. The argument text begins
// with its comma. It is inserted after an existing trailing comma and after comments on the same
// line.
func (s *settings) follow(end int, text []byte) []byte {
	comma := s.next(end, ',')
	from := end
	if comma >= 0 {
		from = comma + 1
	}
	to := from
	for {
		blank := to
		for blank < len(s.src) && (s.src[blank] == ' ' || s.src[blank] == '\t') {
			blank++
		}
		stop := s.commentAt(blank)
		if stop == blank {
			break
		}
		to = stop
	}
	_, body, _ := bytes.Cut(text, []byte(","))
	if to > from && bytes.IndexByte(body[:len(body)-len(bytes.TrimLeft(body, " \t\r\n"))], '\n') < 0 {
		body = append([]byte(eolOf(s.src)), body...)
	}
	if comma >= 0 {
		return slices.Concat(s.src[:to], body, []byte(","), s.src[to:])
	}
	return slices.Concat(s.src[:end], []byte(","), s.src[end:to], body, s.src[to:])
}

// retext returns src with another value for the string at node i.
func (s *settings) retext(i int, text string) ([]byte, error) {
	value, err := jsonedit.Value(text)
	if err != nil || i < 0 {
		return s.src, err
	}
	return slices.Concat(s.src[:s.doc.Nodes[i].Start], value, s.src[s.doc.Nodes[i].End:]), nil
}

// next returns the offset of c after i if only white space and comments precede it, or else -1.
func (s *settings) next(i int, c byte) int {
	for i < len(s.src) {
		switch b := s.src[i]; {
		case b == c:
			return i
		case b == ' ' || b == '\t' || b == '\r' || b == '\n':
			i++
		default:
			end := s.commentAt(i)
			if end == i {
				return -1
			}
			i = end
		}
	}
	return -1
}

// cut returns src without child i, one comma and the white space before it. Comments are kept.
func (s *settings) cut(i int) []byte {
	d := &s.doc
	parent := d.Nodes[i].Parent
	open, shut := int(d.Nodes[parent].Start)+1, int(d.Nodes[parent].End)-1
	head, end := int(d.Nodes[i].KeyStart), int(d.Nodes[i].End)
	if d.Nodes[i].KeyEnd == 0 {
		head = int(d.Nodes[i].Start)
	}
	if d.Nodes[parent].Len == 1 && !s.commented(open, shut) {
		return slices.Concat(s.src[:open], s.src[shut:])
	}
	lead := head // start of the white space before it
	for lead > open && strings.IndexByte(" \t\r\n", s.src[lead-1]) >= 0 && !s.commented(lead-1, lead) {
		lead--
	}
	if comma := s.next(end, ','); comma >= 0 {
		after := comma + 1
		if lead == open && bytes.IndexByte(s.src[lead:head], '\n') < 0 { // the first on a line with others
			for lead = head; after < shut && (s.src[after] == ' ' || s.src[after] == '\t'); {
				after++
			}
		}
		return slices.Concat(s.src[:lead], s.src[end:comma], s.src[after:])
	}
	before := -1
	for c := range d.Children(int(parent)) {
		if c < i {
			before = c
		}
	}
	if before < 0 {
		return slices.Concat(s.src[:lead], s.src[end:])
	}
	comma := s.next(int(d.Nodes[before].End), ',')
	return slices.Concat(s.src[:comma], s.src[comma+1:lead], s.src[end:])
}
