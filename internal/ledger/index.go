package ledger

import (
	"encoding/binary"
	"math"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/kept"
	"github.com/forgemind/forgemind/schema"
)

// indexName is where the index of a home's Ledger stands: what its files hold,
// so that a list need not read them all. It is derived, and believed of a file
// only while the file's stamp is the one it was read by.
func indexName(home string) string { return fs.LocalName(home, "index", fs.DecisionsDir) }

const (
	// worthIndexing is how many files must have been read for an index to be
	// written: fewer are read sooner than written.
	worthIndexing = 256
	// settled is how long a file must have been left alone before its stamp is
	// believed: clocks of file systems tick in up to two seconds, and two
	// writes within one tick have one stamp.
	settled = 2 * time.Second
)

// heading begins every index; another format has another number. What the index says of
// the whole is how many texts there are in lists.
const heading = "forgemind decisions 5\n"

// The bits of a decision.
const (
	immutable = 1 << iota
	boss
)

// An indexWriter collects entries.
type indexWriter struct {
	kept.Writer
	listed int // texts in lists
	body   []byte
}

// add adds the decision that was read by a stamp.
func (w *indexWriter) add(s fs.Stamp, d *schema.Decision) {
	b := w.body[:0]
	for _, text := range texts(d) {
		b = kept.AppendText(b, *text)
	}
	for _, list := range lists(d) {
		if *list == nil {
			b = append(b, 0)
			continue
		}
		w.listed += len(*list)
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
	b = append(b, bits)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(d.Confidence))
	w.body = b
	w.Add(s, b)
}

// head returns what the index says of the whole.
func (w *indexWriter) head() string { return string(binary.AppendUvarint(nil, uint64(w.listed))) }

// texts and lists are the members of a decision, in the order of the index.
func texts(d *schema.Decision) [11]*string {
	return [...]*string{&d.ID, &d.Timestamp, &d.Decision, &d.Rationale, &d.DecisionMaker, &d.RecordedBy, &d.Project, &d.Channel, &d.Origin, (*string)(&d.Priority), (*string)(&d.Status)}
}

func lists(d *schema.Decision) [4]*[]string {
	return [...]*[]string{&d.AlternativesRejected, &d.Impact, (*[]string)(&d.Supersedes), &d.Files}
}

// An index holds what an earlier reading of a home found.
type index struct {
	*kept.Index
	arena []string // for the texts of lists
}

func openIndex(x *kept.Index) *index {
	head := kept.Scanner{Text: x.Head()}
	return &index{x, make([]string, min(head.Number(), uint64(x.Len())))}
}

// decision fills in what the file of a stamp held when it was read by that very
// stamp; false: it must be read. Stamps come in the order of their names.
func (x *index) decision(stamp fs.Stamp, d *schema.Decision) bool {
	body, ok := x.At(stamp)
	if !ok {
		return false
	}
	s := kept.Scanner{Text: body}
	for _, text := range texts(d) {
		*text = s.String()
	}
	for _, list := range lists(d) {
		n := s.Count()
		if n == 0 { // a list that is not there
			continue
		}
		if n--; n > len(x.arena) {
			return false
		}
		*list, x.arena = x.arena[:n:n], x.arena[n:]
		for i := range *list {
			(*list)[i] = s.String()
		}
	}
	if bits := s.Take(1); bits != "" {
		d.Immutable, d.Boss = bits[0]&immutable != 0, bits[0]&boss != 0
	}
	d.Confidence = math.Float64frombits(s.Fixed())
	return !s.Bad && s.Text == ""
}

// Indexed returns a function that reports whether the indexes of the Ledger know a
// decision: then the Ledger had it. They are read at the first call.
func Indexed(tree *fs.Tree) func(id string) bool {
	ids := sync.OnceValue(func() map[string]bool {
		ids := map[string]bool{}
		for _, home := range homes {
			for x := kept.Load(tree, indexName(home), heading); x.Name() != ""; x.Next() {
				ids[strings.TrimSuffix(path.Base(x.Name()), ".json")] = true
			}
		}
		return ids
	})
	return func(id string) bool { return ids()[id] }
}
