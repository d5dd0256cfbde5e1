package records

import (
	"encoding/binary"
	"math"

	"github.com/forgemind/forgemind/internal/kept"
	"github.com/forgemind/forgemind/schema"
)

// decisions keeps decisions decoded: there may be ten thousands, and all of them are asked for.
func decisions() codec[schema.Decision] {
	var lists listMaker
	return codec[schema.Decision]{
		heading: "forgemind decisions 6\n", worth: 256,
		read: DecodeDecision, encode: encodeDecision, decode: lists.decision,
	}
}

// The bits of a decision.
const (
	immutable = 1 << iota
	boss
)

// textsOf and listsOf return the members of a decision, in the order of the index.
func textsOf(d *schema.Decision) [11]*string {
	return [...]*string{&d.ID, &d.Timestamp, &d.Decision, &d.Rationale, &d.DecisionMaker, &d.RecordedBy, &d.Project, &d.Channel, &d.Origin, (*string)(&d.Priority), (*string)(&d.Status)}
}

func listsOf(d *schema.Decision) [4]*[]string {
	return [...]*[]string{&d.AlternativesRejected, &d.Impact, (*[]string)(&d.Supersedes), &d.Files}
}

func encodeDecision(b []byte, d schema.Decision) []byte {
	for _, text := range textsOf(&d) {
		b = kept.AppendText(b, *text)
	}
	for _, list := range listsOf(&d) {
		if *list == nil {
			b = append(b, 0)
			continue
		}
		b = binary.AppendUvarint(b, uint64(len(*list))+1)
		for _, text := range *list {
			b = kept.AppendText(b, text)
		}
	}
	var bits byte
	if d.Immutable {
		bits |= immutable
	}
	if d.Boss {
		bits |= boss
	}
	return binary.LittleEndian.AppendUint64(append(b, bits), math.Float64bits(d.Confidence))
}

// A listMaker makes the lists of many decisions in few pieces.
type listMaker struct{ free []string }

// decision returns the decision that encodeDecision appended as text. It returns false for
// any other text.
func (l *listMaker) decision(text string) (d schema.Decision, ok bool) {
	s := kept.Scanner{Text: text}
	for _, member := range textsOf(&d) {
		*member = s.String()
	}
	for _, list := range listsOf(&d) {
		n := s.Count()
		if n == 0 { // a list that is not there
			continue
		}
		*list = l.make(n - 1)
		for i := range *list {
			(*list)[i] = s.String()
		}
	}
	if bits := s.Take(1); bits != "" {
		d.Immutable, d.Boss = bits[0]&immutable != 0, bits[0]&boss != 0
	}
	d.Confidence = math.Float64frombits(s.Fixed())
	return d, !s.Bad && s.Text == ""
}

// make returns a list of n texts.
func (l *listMaker) make(n int) []string {
	const piece = 1024
	if n >= len(l.free) { // never nil
		l.free = make([]string, max(n+1, piece))
	}
	list := l.free[:n:n]
	l.free = l.free[n:]
	return list
}
