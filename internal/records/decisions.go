package records

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
	"github.com/forgemind/forgemind/schema"
)

// Decisions returns the decisions of both homes and, apart from them, those that are only
// proposed, each in order of time, those without one first; and the files that hold none.
func Decisions(r fs.Reader) (taken, proposed []schema.Decision, faults []Fault) {
	kind := decisions()
	for _, home := range homes {
		in := Decision.In(home)
		folder := kind.open(r, in.Dir)
		taken = slices.Grow(taken, len(folder.stamps))
		for c := range folder.contents() {
			switch _, _, ok := in.split(c.name); {
			case !ok, errors.Is(c.err, iofs.ErrNotExist): // it is no decision's, or gone again
			case c.err != nil:
				faults = append(faults, Fault{c.name, c.err})
			default:
				taken = append(taken, c.value)
			}
		}
	}
	sortByTime(taken)
	for i := range taken {
		if taken[i].IsProposed() {
			proposed = append(proposed, taken[i])
		}
	}
	if len(proposed) > 0 {
		taken = slices.DeleteFunc(taken, func(d schema.Decision) bool { return d.IsProposed() })
	}
	return taken, proposed, faults
}

// GetDecision returns the decision of an id. The error is io/fs.ErrNotExist if there is none.
func GetDecision(r fs.Reader, id string) (schema.Decision, error) {
	name, ok, err := Decision.Find(r, id)
	if err == nil && !ok {
		err = fmt.Errorf("decision %q: %w", id, iofs.ErrNotExist)
	}
	if err != nil {
		return schema.Decision{}, err
	}
	src, err := r.Read(name)
	if err != nil {
		return schema.Decision{}, err
	}
	return DecodeDecision(name, src)
}

// DecodeDecision returns the decision that the file called name holds as src. Unlike other
// records it counts as a whole or not at all: nobody may act on a part of it.
func DecodeDecision(name string, src []byte) (schema.Decision, error) {
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
