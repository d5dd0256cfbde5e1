package state

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Past is a snapshot in context-history. What cannot be read of it is zero.
type Past struct {
	Name    string
	ID      string // the file's name without .json
	Session string
	Reason  string    // why it was taken, by its name; "" where that does not say
	Time    time.Time // of the State's last checkpoint: by the snapshot's name, else by its content
	Layer   int       // 0 to 5; -1 where it is not known
	Clarity float64   // percent
	Err     error     // why one cannot go back to it; nil: one can
}

// History lists the snapshots in order of time, each of which is read once. Of
// one time, what was kept when a layer was left comes last.
func History(r fs.Reader) ([]Past, error) {
	names, err := snapshots(r)
	if err != nil {
		return nil, err
	}
	all := make([]Past, 0, len(names))
	var doc jsonedit.Doc
	for _, name := range names {
		src, err := r.Read(name)
		all = append(all, examine(&doc, name, src, err))
	}
	slices.SortStableFunc(all, Past.compare)
	return all, nil
}

// Recall reads the snapshot of that id. An *Unknown is one that is not there.
// One that cannot be gone back to is returned with its Err all the same.
func Recall(r fs.Reader, id string) (Past, []byte, error) {
	names, err := snapshots(r)
	if err != nil {
		return Past{}, nil, err
	}
	unknown := &Unknown{What: "snapshot", ID: id}
	for _, name := range names {
		if known := idOf(name); known != id {
			unknown.Known = append(unknown.Known, known)
			continue
		}
		src, err := r.Read(name)
		if err != nil {
			return Past{}, nil, fmt.Errorf("snapshot %q: %w", id, err)
		}
		return examine(new(jsonedit.Doc), name, src, nil), src, nil
	}
	return Past{}, nil, unknown
}

// Newest reads the newest snapshot of a layer; ok is false where there is none.
// What was kept when the layer was left comes before what has the same time.
// passed, if it is not nil, is told of those that were passed over because
// they cannot be gone back to.
func Newest(r fs.Reader, layer int, passed func(Past)) (name string, src []byte, ok bool, err error) {
	names, err := snapshots(r)
	if err != nil {
		return "", nil, false, err
	}
	var doc jsonedit.Doc
	look := func(name string) (Past, []byte) {
		src, err := r.Read(name)
		return examine(&doc, name, src, err), src
	}
	order := make([]Past, 0, len(names))
	for _, name := range names {
		p := nameOnly(name)
		if p.Time.IsZero() {
			p, _ = look(name) // a name without a time
		}
		order = append(order, p)
	}
	slices.SortStableFunc(order, func(a, b Past) int { return b.compare(a) })
	for _, p := range order {
		p, src := look(p.Name)
		switch {
		case p.Err == nil && p.Layer == layer:
			return p.Name, src, true, nil
		case p.Err != nil && passed != nil && (p.Layer == layer || p.Layer < 0):
			passed(p)
		}
	}
	return "", nil, false, nil
}

// compare orders snapshots by time.
func (p Past) compare(q Past) int {
	return cmp.Or(p.Time.Compare(q.Time), cmp.Compare(p.rank(), q.rank()), cmp.Compare(p.Name, q.Name))
}

// rank is 1 of what was kept when a layer was left: it is what the layer had
// become since the snapshots of the same checkpoint.
func (p Past) rank() int {
	if word, _, ok := passage("-" + p.Reason); ok && word == leftWord {
		return 1
	}
	return 0
}

// snapshots lists the names of all snapshots.
func snapshots(r fs.Reader) ([]string, error) {
	var names []string
	for name, err := range r.Names(fs.History) {
		if err != nil && !strings.HasPrefix(name, fs.History+"/") {
			return nil, fmt.Errorf("list %s: %w", fs.History, err)
		}
		if fs.Place(name) == fs.DocSnapshot {
			names = append(names, name)
		}
	}
	return names, nil
}

// idOf is the id of the snapshot of that name.
func idOf(name string) string { return strings.TrimSuffix(path.Base(name), ".json") }

// stamp is the form of the time that ends a snapshot's name. It sorts.
const stamp = "20060102T150405.000Z"

// nameOnly says what a snapshot's name tells by itself.
func nameOnly(name string) Past {
	p := Past{Name: name, ID: idOf(name), Layer: -1}
	p.Session = p.ID
	i := strings.LastIndexByte(p.ID, '-')
	if i < 0 {
		return p
	}
	at, err := time.Parse(stamp, p.ID[i+1:])
	if err != nil {
		return p // the documents' own form: <session>.json
	}
	p.Time, p.Session = at, p.ID[:i]
	if word, layer, ok := passage(p.Session); ok {
		p.Reason = fmt.Sprintf("%s-%d", word, layer)
	} else if i = strings.LastIndexByte(p.Session, '-'); i > 0 {
		p.Reason = p.Session[i+1:]
	}
	p.Session = strings.TrimSuffix(strings.TrimSuffix(p.Session, p.Reason), "-")
	return p
}

// examine says what a snapshot is. doc is for reuse.
func examine(doc *jsonedit.Doc, name string, src []byte, err error) Past {
	p := nameOnly(name)
	if err == nil {
		err = doc.Parse(src)
	}
	if err != nil {
		p.Err = err
		return p
	}
	if layer, ok := wholeLayer(doc); ok {
		p.Layer = layer
	}
	if clarity, ok := figure(doc, "/project/clarity"); ok {
		p.Clarity = clarity
	}
	at, err := schema.ParseTime(text(doc, "/metadata/timestamp"))
	stamped := !p.Time.IsZero()
	if !stamped && err == nil {
		p.Time = at
	}
	// The content knows where the session's id ends and the reason begins.
	if session := text(doc, "/metadata/session_id"); session != "" {
		rest, ours := strings.CutPrefix(p.ID, session)
		if i := strings.LastIndexByte(rest, '-'); ours && stamped {
			p.Reason = strings.TrimPrefix(rest[:max(i, 0)], "-")
		} else if ours {
			p.Reason = strings.TrimPrefix(rest, "-")
		}
		p.Session = session
	}
	p.Err = fault(doc)
	return p
}

// fault says why a document is no State that could be gone back to.
func fault(doc *jsonedit.Doc) error {
	var s schema.State
	if err := jsonedit.Decode(doc.Src, &s); err != nil {
		return err
	}
	if s.Schema != "" && s.Schema != schema.Schema {
		return fmt.Errorf("its schema is %s, not %s", cut(s.Schema), schema.Schema)
	}
	if s.Metadata == nil || !schema.ValidID(s.Metadata.SessionID) {
		return errors.New("metadata.session_id is no id")
	}
	if _, err := schema.ParseTime(s.Metadata.Timestamp); err != nil {
		return fmt.Errorf("metadata.timestamp: %w", err)
	}
	if _, ok := wholeLayer(doc); !ok {
		return errors.New("project.current_layer is no layer from 0 to 5")
	}
	if clarity, ok := figure(doc, "/project/clarity"); !ok || !percent(clarity) {
		return errors.New("project.clarity is no percentage from 0 to 100")
	}
	for layer, p := range s.Project.Progress {
		if _, err := schema.ParseTime(p.Entered); p.Entered != "" && err != nil {
			return fmt.Errorf("project.progress.%s: entered: %w", cut(layer), err)
		}
		if !percent(p.Clarity) || !percent(p.Best) {
			return fmt.Errorf("project.progress.%s: no percentage from 0 to 100", cut(layer))
		}
	}
	return nil
}

func percent(n float64) bool { return n >= 0 && n <= 100 }

// wholeLayer reads project.current_layer where it is one.
func wholeLayer(doc *jsonedit.Doc) (int, bool) {
	i := doc.Find("/project/current_layer")
	if i < 0 {
		return 0, false
	}
	n, ok := doc.Int(i)
	if !ok || n < 0 || n > 5 {
		return 0, false
	}
	return int(n), true
}

// cut quotes a text of the tree for a message.
func cut(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.QuoteToASCII(s[:most]) + "…"
	}
	return strconv.QuoteToASCII(s)
}
