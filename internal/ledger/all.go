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

// All returns every decision of the Ledger but those that are only proposed, in
// order of time, those without one first, and the files that hold none.
func All(r fs.Reader) ([]schema.Decision, []Fault) {
	taken, _, faults := Read(r)
	return taken, faults
}

// Read returns the decisions of the Ledger as All does, and those that are only
// proposed. Of a *fs.Tree it reads only what is not as its index has it, and
// renews the index where that is worth it; what comes back is the same.
func Read(r fs.Reader) (taken, proposed []schema.Decision, faults []Fault) {
	c := collection{reader: r}
	for _, home := range homes {
		if tree, ok := r.(*fs.Tree); !ok || !c.indexed(tree, home) {
			c.walk(home)
		}
	}
	sortByTime(c.all)
	for i := range c.all {
		if c.all[i].IsProposed() {
			proposed = append(proposed, c.all[i])
		}
	}
	if len(proposed) > 0 {
		c.all = slices.DeleteFunc(c.all, func(d schema.Decision) bool { return d.IsProposed() })
	}
	return c.all, proposed, c.faults
}

// sortByTime sorts decisions by time, those of one time as they came.
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
	if slices.IsSortedFunc(order, byTime) { // they mostly are
		return
	}
	slices.SortFunc(order, byTime)
	// Every decision goes to its place along the circles that the places make:
	// a second list of them would be megabytes.
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

// moment is when a decision was taken; zero where it does not say so.
func moment(d *schema.Decision) time.Time {
	at, _ := schema.ParseTime(d.Timestamp)
	return at
}

// A collection is the Ledger as far as it was read.
type collection struct {
	reader fs.Reader
	all    []schema.Decision
	faults []Fault
}

// walk reads every file of a home.
func (c *collection) walk(home string) {
	for name, err := range c.reader.Names(home + "/" + fs.DecisionsDir) {
		if fs.Place(name) != fs.DocDecision {
			continue
		}
		if err != nil {
			c.faults = append(c.faults, Fault{name, err})
			continue
		}
		c.read(name)
	}
}

// read reads one file and says whether it holds a decision.
func (c *collection) read(name string) bool {
	d, err := read(c.reader, name)
	switch {
	case errors.Is(err, iofs.ErrNotExist): // it is gone again
	case err != nil:
		c.faults = append(c.faults, Fault{name, err})
	default:
		c.all = append(c.all, d)
	}
	return err == nil
}

// read decodes one file of the Ledger.
func read(r fs.Reader, name string) (schema.Decision, error) {
	src, err := r.Read(name)
	if err != nil {
		return schema.Decision{}, err
	}
	return Decode(name, src)
}

// Decode returns the decision that a file of the Ledger holds as src.
func Decode(name string, src []byte) (schema.Decision, error) {
	var d schema.Decision
	if err := jsonedit.Decode(src, &d); err != nil {
		return d, fmt.Errorf("%s: %w", name, err)
	}
	switch id := strings.TrimSuffix(path.Base(name), ".json"); d.ID {
	case "", id:
		d.ID = id
		return d, nil
	}
	return d, fmt.Errorf("%s: it holds %s; a decision is the file that is named by its id", name, d.ID)
}

// indexed reads a home with the help of its index. False: there is no help to
// be had, and nothing was read.
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
	read := make([]int, 0, 2*len(stamps)) // what may go into the next index: stamp, and place in c.all
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

// recall adds what the index knows of a file; false: it does not know that version.
func (c *collection) recall(known *index, s fs.Stamp) bool {
	c.all = append(c.all, schema.Decision{})
	last := len(c.all) - 1
	if known.decision(s, &c.all[last]) {
		return true
	}
	c.all = c.all[:last]
	return false
}

// take reads one file where it is one of the Ledger, and says whether it holds a
// decision.
func (c *collection) take(name string) bool {
	return fs.Place(name) == fs.DocDecision && c.read(name)
}

// lastChange is when the file of a stamp was last touched.
func lastChange(s fs.Stamp) time.Time { return time.Unix(0, max(s.Written, s.Changed)) }
