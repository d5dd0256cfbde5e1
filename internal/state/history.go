package state

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// A SnapshotFile is a snapshot in context-history. Members that cannot be read are zero.
type SnapshotFile struct {
	Name    string
	ID      string // name of the file without .json
	Session string
	Reason  string    // the reason for the snapshot from its name; "" if the name has none
	Time    time.Time // time of the State's last checkpoint, from the name or else from the content
	Layer   int       // 0 to 5; -1 if unknown
	Clarity float64   // percent
	Err     error     // why the snapshot cannot be restored; nil if it can
}

// History returns the snapshots sorted by time. It reads each once. Of snapshots with the same
// time, the one that was taken when a layer was left is last.
func History(r fs.Reader) ([]SnapshotFile, error) {
	names, err := snapshots(r)
	if err != nil {
		return nil, err
	}
	all := make([]SnapshotFile, 0, len(names))
	var doc jsonedit.Doc
	for _, name := range names {
		src, err := r.Read(name)
		all = append(all, examine(&doc, name, src, err))
	}
	slices.SortStableFunc(all, SnapshotFile.compare)
	return all, nil
}

// Recall returns the snapshot with that id. The error is an *UnknownError if there is none. A
// snapshot that cannot be restored is returned together with its Err.
func Recall(r fs.Reader, id string) (SnapshotFile, []byte, error) {
	names, err := snapshots(r)
	if err != nil {
		return SnapshotFile{}, nil, err
	}
	unknown := &UnknownError{What: "snapshot", ID: id}
	for _, name := range names {
		if known := idOf(name); known != id {
			unknown.Known = append(unknown.Known, known)
			continue
		}
		src, err := r.Read(name)
		if err != nil {
			return SnapshotFile{}, nil, fmt.Errorf("snapshot %q: %w", id, err)
		}
		return examine(new(jsonedit.Doc), name, src, nil), src, nil
	}
	return SnapshotFile{}, nil, unknown
}

// Newest returns the newest snapshot of a layer. It reports false if there is none. Of snapshots
// with the same time, it prefers the one that was taken when the layer was left. If passed is not
// nil, Newest calls it for each snapshot that it skips because it cannot be restored.
func Newest(r fs.Reader, layer int, passed func(SnapshotFile)) (name string, src []byte, ok bool, err error) {
	names, err := snapshots(r)
	if err != nil {
		return "", nil, false, err
	}
	var doc jsonedit.Doc
	look := func(name string) (SnapshotFile, []byte) {
		src, err := r.Read(name)
		return examine(&doc, name, src, err), src
	}
	order := make([]SnapshotFile, 0, len(names))
	for _, name := range names {
		p := nameOnly(name)
		if p.Time.IsZero() {
			p, _ = look(name) // a name without a time
		}
		order = append(order, p)
	}
	slices.SortStableFunc(order, func(a, b SnapshotFile) int { return b.compare(a) })
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

// compare compares snapshots by time.
func (p SnapshotFile) compare(q SnapshotFile) int {
	return cmp.Or(p.Time.Compare(q.Time), cmp.Compare(p.rank(), q.rank()), cmp.Compare(p.Name, q.Name))
}

// rank returns 1 for a snapshot that was taken when a layer was left. It has the latest state of
// the layer, later than other snapshots of the same checkpoint.
func (p SnapshotFile) rank() int {
	if word, _, ok := passage("-" + p.Reason); ok && word == leftWord {
		return 1
	}
	return 0
}

// snapshots returns the names of all snapshots.
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

// idOf returns the id of the snapshot with that file name.
func idOf(name string) string { return strings.TrimSuffix(path.Base(name), ".json") }

// stamp is the format of the time at the end of a snapshot's name. It sorts by time.
const stamp = "20060102T150405.000Z"

// nameOnly returns what the name of a snapshot tells.
func nameOnly(name string) SnapshotFile {
	p := SnapshotFile{Name: name, ID: idOf(name), Layer: -1}
	p.Session = p.ID
	i := strings.LastIndexByte(p.ID, '-')
	if i < 0 {
		return p
	}
	at, err := time.Parse(stamp, p.ID[i+1:])
	if err != nil {
		return p // the form of the design documents: <session>.json
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

// examine returns the description of a snapshot. The argument doc is reused.
func examine(doc *jsonedit.Doc, name string, src []byte, err error) SnapshotFile {
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
	at, err := schema.ParseTime(stringAt(doc, "/metadata/timestamp"))
	stamped := !p.Time.IsZero()
	if !stamped && err == nil {
		p.Time = at
	}
	// The content knows where the session's id ends and the reason begins.
	if session := stringAt(doc, "/metadata/session_id"); session != "" {
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

// fault returns an error if a document is not a State that can be restored.
func fault(doc *jsonedit.Doc) error {
	var s schema.State
	if err := jsonedit.Decode(doc.Src, &s); err != nil {
		return err
	}
	if s.Schema != "" && s.Schema != schema.Schema {
		return fmt.Errorf("its schema is %s, not %s", text.QuoteASCII(s.Schema), schema.Schema)
	}
	if s.Metadata == nil || !schema.ValidID(s.Metadata.SessionID) {
		return errors.New("metadata.session_id is no id")
	}
	if _, err := schema.ParseTime(s.Metadata.Timestamp); err != nil {
		return fmt.Errorf("metadata.timestamp: %w", err)
	}
	if _, ok := wholeLayer(doc); !ok {
		return errors.New("project.current_layer is not a layer from 0 to 5")
	}
	if clarity, ok := figure(doc, "/project/clarity"); !ok || !percent(clarity) {
		return errors.New("project.clarity is no percentage from 0 to 100")
	}
	for layer, p := range s.Project.Progress {
		if _, err := schema.ParseTime(p.Entered); p.Entered != "" && err != nil {
			return fmt.Errorf("project.progress.%s: entered: %w", text.QuoteASCII(layer), err)
		}
		if !percent(p.Clarity) || !percent(p.Best) {
			return fmt.Errorf("project.progress.%s: no percentage from 0 to 100", text.QuoteASCII(layer))
		}
	}
	return nil
}

func percent(n float64) bool { return n >= 0 && n <= 100 }

// wholeLayer returns project.current_layer. It reports false if that is not a layer.
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
