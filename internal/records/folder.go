package records

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	iofs "io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Folder is a place where records of one kind stand.
type Folder struct {
	Dir  string // a name of the tree
	Kind Kind
}

// A Record is one fact, with its changes.
type Record struct {
	Kind    Kind
	ID      string
	Name    string // of its file
	Base    Members
	Changes []Change
	State

	files    []source // of one that is not decoded, its own first
	answered bool     // likewise
	derives  bool     // its members hold what follows from its changes; see Derive
}

// A Fault is a file that could not be read as a record or as a change of one.
type Fault struct {
	Name string
	Err  error
}

func byID(a, b Record) int { return cmp.Compare(a.ID, b.ID) }

// InForce reports whether the record was neither closed nor removed.
func (r Record) InForce() bool { return !slices.Contains(r.Kind.Closed, r.Members.Text("status")) }

// Text returns what the record is about.
func (r Record) Text() string { return r.Members.Text(r.Kind.Text) }

// Decode reads the state of the record into v.
func (r Record) Decode(v any) error {
	text, err := jsonedit.Value(r.Members)
	if err == nil {
		err = jsonedit.Decode(text, v)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.Name, err)
	}
	return nil
}

// List returns the records of the folder sorted by id, and the files that could not
// be read. A change without its record is not among them; see Orphans.
func (f Folder) List(r fs.Reader) ([]Record, []Fault) {
	all, faults := f.scan(r, false)
	return all, faults
}

// scan is List that leaves records which are no longer in force undecoded where it is told
// to be brief; see Record.Whole.
func (f Folder) scan(r fs.Reader, brief bool) ([]Record, []Fault) {
	bases, places, changes := []source{}, map[string]int{}, map[string][]source{}
	var faults []Fault
	fault := func(name string, err error) {
		if err != nil && !errors.Is(err, iofs.ErrNotExist) {
			faults = append(faults, Fault{name, err})
		}
	}
	for c := range texts.open(r, f.Dir).contents() {
		id, called, ok := f.split(c.name)
		switch {
		case !ok:
		case c.err != nil:
			fault(c.name, c.err)
		case called == "" && places[id] > 0: // the last of two names of one id counts
			bases[places[id]-1] = c
		case called == "":
			bases = append(bases, c)
			places[id] = len(bases)
		default:
			changes[id] = append(changes[id], c)
		}
	}
	all, answered := make([]Record, 0, len(bases)), f.answered(r)
	for _, c := range bases {
		id, _, _ := f.split(c.name)
		if files := changes[id]; brief && f.plain(c) && f.closedBy(files, answered[id]) {
			all = append(all, Record{Kind: f.Kind, ID: id, Name: c.name, files: append([]source{c}, files...), answered: answered[id], State: closedState})
			continue
		}
		record, wrong := f.fold(c, changes[id], answered[id])
		faults = append(faults, wrong...)
		if record.Base != nil {
			all = append(all, record)
		}
	}
	slices.SortFunc(all, byID)
	return all, faults
}

// closedState is what is known of a record that is not decoded.
var closedState = State{Members: Members{"status": json.RawMessage(`"` + Removed + `"`)}}

// closedBy reports whether the changes of a record, or its answer, take it out of force. It
// looks at one change alone: of several the fold decides.
func (f Folder) closedBy(changes []source, answered bool) bool {
	if answered {
		return true
	}
	if len(changes) != 1 {
		return false
	}
	_, called, _ := f.split(changes[0].name)
	_, id, _ := strings.Cut(called, "-")
	doc, err := jsonedit.Parse(changes[0].value)
	if err != nil || len(doc.Duplicates) > 0 || id == "" {
		return false // a finding, or what the fold has to look at
	}
	for _, m := range [...]struct {
		name string
		kind jsonedit.Kind
	}{{"of", jsonedit.String}, {"at", jsonedit.String}, {"by", jsonedit.String}, {"set", jsonedit.Object}} {
		if at := doc.Member(0, m.name); at < 0 || doc.Nodes[at].Kind != m.kind {
			return false
		}
	}
	if at := doc.Member(0, "after"); at >= 0 && (doc.Nodes[at].Kind != jsonedit.Array || doc.Nodes[at].Len > 0) {
		return false // it saw another one, which is gone
	}
	status, ok := doc.Str(doc.Find("/set/status"))
	return ok && slices.Contains(f.Kind.Closed, status)
}

// plain reports whether a file holds a record of which nobody asks more than whether it is
// in force. An entry of agents' notes is none.
func (f Folder) plain(c source) bool {
	doc, err := jsonedit.Parse(c.value)
	return err == nil && doc.Nodes[0].Kind == jsonedit.Object && doc.Member(0, "section") < 0
}

// fold returns the record of a file and its changes. Its Base is nil where the file holds
// none.
func (f Folder) fold(base source, files []source, answered bool) (record Record, faults []Fault) {
	id, _, _ := f.split(base.name)
	var changes []Change
	for _, c := range files {
		_, called, _ := f.split(c.name)
		change, err := decodeChange(c.value, c.name, called)
		if err != nil {
			faults = append(faults, Fault{c.name, err})
			continue
		}
		changes = append(changes, change)
	}
	record, err := f.decode(base.value, base.name, id)
	if err != nil {
		return Record{}, append(faults, Fault{base.name, err})
	}
	return record.with(changes).close(answered), faults
}

// Whole returns the record decoded, with its changes. Those of [Current] that are no longer
// in force are not.
func (r Record) Whole() Record {
	if r.files == nil {
		return r
	}
	whole, _ := Folder{path.Dir(r.Name), r.Kind}.fold(r.files[0], r.files[1:], r.answered)
	if whole.Base == nil { // its file is broken, and a finding
		r.files, r.Base = nil, Members{}
		return r
	}
	return whole
}

// Get returns the record of an id. The error is io/fs.ErrNotExist if there is none.
func (f Folder) Get(r fs.Reader, id string) (Record, error) {
	if !schema.ValidID(id) {
		return Record{}, fmt.Errorf("%s %q: %w", f.Kind.Name, id, iofs.ErrNotExist)
	}
	record, err := f.read(r, f.name(id), id)
	if err != nil {
		return Record{}, err
	}
	var changes []Change
	for name, err := range r.Names(f.Dir) {
		of, change, ok := f.split(name)
		if !ok || of != id || change == "" {
			continue
		}
		if err != nil {
			return Record{}, err
		}
		c, err := readChange(r, name, change)
		if err != nil {
			return Record{}, err
		}
		changes = append(changes, c)
	}
	return record.with(changes).close(f.answered(r)[id]), nil
}

// with returns the record with its changes, without the values that no view can show. Its id is that of its file's name, whatever
// the file and the changes say: by another one every rendering would show it once more.
func (r Record) with(changes []Change) Record {
	r.Changes = r.Kind.admitted(changes)
	r.State = Fold(r.Kind, r.Base, r.Changes)
	if r.Kind.Name != Project.Name && !r.Kind.Editable && r.Members.Text("id") != r.ID {
		r.set("id", r.ID)
	}
	return r
}

// set sets a member to a text without a letter that JSON escapes. The members of the
// file stay as they are.
func (r *Record) set(name, text string) {
	r.Members = maps.Clone(r.Members)
	r.Members[name] = json.RawMessage(`"` + text + `"`)
}

func (f Folder) read(r fs.Reader, name, id string) (Record, error) {
	src, err := r.Read(name)
	if err != nil {
		return Record{}, err
	}
	return f.decode(src, name, id)
}

func (f Folder) decode(src []byte, name, id string) (Record, error) {
	base, err := f.Kind.members(src)
	if err != nil {
		return Record{}, fmt.Errorf("%s: %w", name, err)
	}
	if own := base.Text("id"); own != "" && own != id && f.Kind.NamedByID() {
		return Record{}, fmt.Errorf("%s: it holds %s; a record is the file that is named by its id", name, own)
	}
	return Record{Kind: f.Kind, ID: id, Name: name, Base: base}, nil
}

// Add stages a record of that id and returns it. v is written as a JSON object, with the
// member id. A record of that id must not exist.
func (f Folder) Add(tx *fs.Tx, id string, v any) (Record, error) {
	if !schema.ValidID(id) {
		return Record{}, fmt.Errorf("%s %q: an id has letters, digits, '-', '_' and '.' only", f.Kind.Name, id)
	}
	switch at, taken, err := f.find(tx, id); {
	case err != nil:
		return Record{}, err
	case taken:
		return Record{}, fmt.Errorf("%s %s: the id is taken by %s", f.Kind.Name, id, at)
	}
	name := f.name(id)
	text, err := jsonedit.Marshal(v)
	if err != nil {
		return Record{}, fmt.Errorf("%s %s: %w", f.Kind.Name, id, err)
	}
	tx.Write(name, text)
	record, err := f.read(tx, name, id) // with secrets masked
	if err != nil {
		return Record{}, err
	}
	if f.Kind.NamedByID() && strings.TrimSpace(record.Base.Text(f.Kind.Text)) == "" {
		return Record{}, fmt.Errorf("%s %s: it says nothing", f.Kind.Name, id)
	}
	return record.with(nil), nil
}

// find returns the name of the file of a record, in the home of the folder or the other one.
func (f Folder) find(r fs.Reader, id string) (name string, ok bool, err error) {
	_, dir, _ := strings.Cut(f.Dir, "/")
	for _, home := range homes {
		name := Folder{home + "/" + dir, f.Kind}.name(id)
		switch _, err := r.Read(name); {
		case err == nil, errors.Is(err, fs.ErrIrregular), errors.Is(err, fs.ErrTooLarge), errors.Is(err, fs.ErrUnsettled):
			return name, true, nil
		case !errors.Is(err, iofs.ErrNotExist):
			return "", false, err
		}
	}
	return "", false, nil
}

// name returns the name of the file of a record.
func (f Folder) name(id string) string {
	if f.Kind.Name != Decision.Name {
		id = escape(id)
	}
	return f.Dir + "/" + id + ".json"
}

// split returns the id of the record that a file of the folder belongs to, and if the
// file holds a change, what it is called: "<what>-<change id>".
func (f Folder) split(name string) (id, change string, ok bool) {
	dir, file := path.Split(name)
	stem, isJSON := strings.CutSuffix(file, ".json")
	if !isJSON || dir != f.Dir+"/" {
		return "", "", false
	}
	if f.Kind.Name == Decision.Name {
		return stem, "", true
	}
	id, change, dotted := strings.Cut(stem, ".")
	id = unescape(id)
	return id, change, schema.ValidID(id) && dotted == (change != "")
}

// ID returns the id of the record that the file name of the folder belongs to.
func (f Folder) ID(name string) (id string, ok bool) {
	id, _, ok = f.split(name)
	return id, ok
}

// A dot of an id is escaped in the name of its file: a dot begins what a change is
// called.
func escape(id string) string   { return strings.ReplaceAll(id, ".", "%2E") }
func unescape(id string) string { return strings.ReplaceAll(id, "%2E", ".") }
