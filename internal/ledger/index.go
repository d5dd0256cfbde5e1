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

// indexName returns the name of the index of a home's Ledger. The index holds the contents of the
// files, so that a list need not read them all. An entry is used only if the file has the stamp
// with which it was read.
func indexName(home string) string { return fs.LocalName(home, "index", fs.DecisionsDir) }

const (
	// worthIndexing is the least number of files read for which an index is written. Reading fewer
	// is faster than writing.
	worthIndexing = 256
	// settled is the time that must pass after the last write before a file's stamp is trusted. The
	// clocks of file systems have ticks of up to two seconds, and two writes within one tick have
	// the same stamp.
	settled = 2 * time.Second
)

// heading begins every index and has the number of the format. The head of the index is the number
// of texts in lists.
const heading = "forgemind decisions 3\n"

// An indexWriter collects entries.
type indexWriter struct {
	kept.Writer
	listed int // texts in lists
	body   []byte
}

// add adds the decision that was read with a stamp.
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
	if d.Immutable {
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(d.Confidence))
	w.body = b
	w.Add(s, b)
}

// head returns the head of the index.
func (w *indexWriter) head() string { return string(binary.AppendUvarint(nil, uint64(w.listed))) }

// texts and lists return the members of a decision in the order of the index.
func texts(d *schema.Decision) [9]*string {
	return [...]*string{&d.ID, &d.Timestamp, &d.Decision, &d.Rationale, &d.DecisionMaker, &d.RecordedBy, &d.Project, &d.Channel, &d.Origin}
}

func lists(d *schema.Decision) [5]*[]string {
	return [...]*[]string{&d.AlternativesRejected, &d.Impact, (*[]string)(&d.Supersedes), &d.Files, &d.NotedBy}
}

// An index holds the decisions that an earlier reading of a home found.
type index struct {
	*kept.Index
	arena []string // memory for the texts of lists
}

func openIndex(x *kept.Index) *index {
	head := kept.Scanner{Text: x.Head()}
	return &index{x, make([]string, min(head.Number(), uint64(x.Len())))}
}

// decision fills in the decision of a file if it was read with that stamp. It reports false if the
// file must be read. Callers ask in the order of the names.
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
		if n == 0 { // the member is absent
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
	d.Immutable = s.Take(1) == "\x01"
	d.Confidence = math.Float64frombits(s.Fixed())
	return !s.Bad && s.Text == ""
}

// Indexed returns a function that reports whether the indexes of the Ledger know a decision, which
// shows that the Ledger had it. The indexes are read at the first call.
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
