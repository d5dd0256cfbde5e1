package ledger

import (
	"cmp"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/kept"
	"github.com/forgemind/forgemind/schema"
)

// A Fault is a file of the Ledger that could not be read as a decision.
type Fault struct {
	Name string
	Err  error
}

// All returns every decision of the Ledger sorted by time, those without a time first, and a fault
// for each file that holds none. For a *fs.Tree it reads only files that differ from the index, and
// updates the index if that is worthwhile. The result does not depend on the index.
func All(r fs.Reader) ([]schema.Decision, []Fault) {
	c := collection{reader: r}
	for _, home := range homes {
		if tree, ok := r.(*fs.Tree); !ok || !c.indexed(tree, home) {
			c.walk(home)
		}
	}
	sortByTime(c.all)
	return c.all, c.faults
}

// Staged returns every decision as a transaction of tree has them, in order of time, and the
// first file or folder that the system does not give; see fs.IsUnread. Like All it reads by the
// index. Files that hold no decision are left out.
func Staged(tree *fs.Tree, tx *fs.Tx) ([]schema.Decision, error) {
	all, faults := All(tree)
	for _, f := range faults {
		if fs.IsUnread(f.Err) {
			return nil, fmt.Errorf("%s: %w", f.Name, f.Err)
		}
	}
	staged := 0
	for name := range tx.Staged() {
		if fs.Place(name) != fs.DocDecision {
			continue
		}
		staged++
		id := strings.TrimSuffix(path.Base(name), ".json")
		all = slices.DeleteFunc(all, func(d schema.Decision) bool { return d.ID == id })
		if d, err := read(tx, name); err == nil {
			all = append(all, d)
		}
	}
	if staged > 0 {
		sortByTime(all)
	}
	return all, nil
}

// sortByTime sorts decisions by time and keeps the order of equal ones.
func sortByTime(all []schema.Decision) {
	type timed struct{ sec, nano, from int }
	byTime := func(a, b timed) int {
		return cmp.Or(cmp.Compare(a.sec, b.sec), cmp.Compare(a.nano, b.nano), cmp.Compare(a.from, b.from))
	}
	order := make([]timed, len(all))
	for i := range all {
		at := moment(&all[i])
		order[i] = timed{int(at.Unix()), at.Nanosecond(), i}
	}
	if slices.IsSortedFunc(order, byTime) { // the usual case
		return
	}
	slices.SortFunc(order, byTime)
	// Move each decision to its place along the cycles of the permutation; a second slice would
	// take megabytes.
	for start := range order {
		for at := start; order[at].from >= 0; {
			from := order[at].from
			order[at].from = -1
			if from == start {
				break
			}
			all[at], all[from] = all[from], all[at]
			at = from
		}
	}
}

// moment returns the time of a decision, or the zero time.
func moment(d *schema.Decision) time.Time {
	at, _ := schema.ParseTime(d.Timestamp)
	return at
}

// A collection holds the decisions that were read so far.
type collection struct {
	reader fs.Reader
	all    []schema.Decision
	faults []Fault
}

// walk reads every file of a home.
func (c *collection) walk(home string) {
	for name, err := range c.reader.Names(home + "/" + fs.DecisionsDir) {
		if fs.Place(name) != fs.DocDecision && !fs.IsUnread(err) { // a folder may hold decisions
			continue
		}
		if err != nil {
			c.faults = append(c.faults, Fault{name, err})
			continue
		}
		c.read(name)
	}
}

// read reads one file and reports whether it holds a decision.
func (c *collection) read(name string) bool {
	d, err := read(c.reader, name)
	switch {
	case errors.Is(err, iofs.ErrNotExist): // removed meanwhile
	case err != nil:
		c.faults = append(c.faults, Fault{name, err})
	default:
		c.all = append(c.all, d)
	}
	return err == nil
}

// read decodes one file of the Ledger.
func read(r fs.Reader, name string) (schema.Decision, error) {
	var d schema.Decision
	src, err := r.Read(name)
	if err != nil {
		return d, err
	}
	if err := jsonedit.Decode(src, &d); err != nil {
		return d, fmt.Errorf("%s: %w", name, err)
	}
	if d.ID == "" {
		d.ID = strings.TrimSuffix(path.Base(name), ".json")
	}
	return d, nil
}

// indexed reads a home with its index. It returns false, and has read nothing, if the index cannot
// be used.
func (c *collection) indexed(tree *fs.Tree, home string) bool {
	now := tree.Now()
	loaded := make(chan *kept.Index, 1)
	go func() { loaded <- kept.Load(tree, indexName(home), heading) }()
	stamps, other, err := tree.Stamps(home + "/" + fs.DecisionsDir)
	index := <-loaded
	if err != nil || len(stamps) < worthIndexing {
		return false
	}
	known := openIndex(index)
	c.all = slices.Grow(c.all, len(stamps))
	read := make([]int, 0, 2*len(stamps)) // candidates for the next index: the stamp, and the place in c.all
	unknown := 0
	for i, s := range stamps {
		for len(other) > 0 && other[0] < s.Name {
			c.take(other[0])
			other = other[1:]
		}
		switch {
		case c.recall(known, s):
		case !c.take(s.Name) || now.Sub(lastChange(s)) <= settled:
			continue
		default:
			unknown++
		}
		read = append(read, i, len(c.all)-1)
	}
	for _, name := range other {
		c.take(name)
	}
	if unknown < worthIndexing || tree.DryRun {
		return true
	}
	var w indexWriter
	for k := 0; k < len(read); k += 2 {
		w.add(stamps[read[k]], &c.all[read[k+1]])
	}
	w.Save(tree, indexName(home), heading, w.head())
	return true
}

// recall adds the decision of a file from the index. It reports false if the index does not have
// that version of the file.
func (c *collection) recall(known *index, s fs.Stamp) bool {
	c.all = append(c.all, schema.Decision{})
	last := len(c.all) - 1
	if known.decision(s, &c.all[last]) {
		return true
	}
	c.all = c.all[:last]
	return false
}

// take reads one file if it belongs to the Ledger, and reports whether it holds a decision.
func (c *collection) take(name string) bool {
	return fs.Place(name) == fs.DocDecision && c.read(name)
}

// lastChange returns the time at which the file of a stamp last changed.
func lastChange(s fs.Stamp) time.Time { return time.Unix(0, max(s.Written, s.Changed)) }
