package engine

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/tokens"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/validate"
)

// An Edge is where time, randomness and people come in.
type Edge struct {
	Now    func() time.Time
	Random io.Reader // for new ids
	// Author returns who acts in the tree of root where no agent is named. It is
	// asked when that is needed, until it gives a name; a change that needs the name
	// and gets an error is refused. Nil is "user".
	Author func(root string) (string, error)
	// Summarise retells a session's summary; label says what did. The text is ""
	// where the user named nothing for it.
	Summarise func(ctx context.Context, text string) (overview, label string, err error)
	// Embed returns who gives texts vectors: the zero Embedder where the user named
	// nobody. Nil is nobody as well.
	Embed func() (Embedder, error)
}

// A Tree is an open tree whose every write is judged and fires triggers.
type Tree struct {
	*fs.Tree
	// IfVersion is the version that the active session's hot context must have
	// for a change to be made: another one is a *Moved. Nil is any.
	IfVersion *int

	Unheard bool // nobody reads Outcome.Notes: what is told once waits for somebody who does

	edge    Edge
	author  *author
	counter *tokens.Counter
}

// Open opens the project directory root for writing: no transaction passes
// that adds an error to its documents, or loses a decision. A tree that
// another product made is refused.
func Open(root string, edge Edge) (*Tree, error) {
	counter, err := tokens.New(tokens.Default)
	if err != nil {
		return nil, err
	}
	disk, err := fs.Open(root)
	if err != nil {
		return nil, err
	}
	if validate.Foreign(disk) {
		disk.Close()
		return nil, fmt.Errorf("%s: another product's folder, by its schema; forgemind leaves it alone", fs.State)
	}
	disk.Check = validate.Gate
	views.Attach(disk)
	disk.Safe = func(name string, save, ours []byte) bool {
		return views.LastRenderings(disk, name).Knows(save) || views.Torn(disk, name, save) || isAdopted(disk, name, ours) ||
			views.IsKept(disk, name, save, ours) || git.Holds(context.Background(), disk.Root(), ours)
	}
	return &Tree{Tree: disk, edge: edge, author: &author{}, counter: counter}, nil
}

// Edge returns what the tree was opened with.
func (t *Tree) Edge() Edge { return t.edge }

// An author is what Edge.Author gave.
type author struct {
	sync.Mutex
	name string // "" until it gave one
}

// authorName returns who acts where no agent is named; see Edge.Author.
func (t *Tree) authorName() (string, error) {
	if t.edge.Author == nil {
		return "user", nil
	}
	a := t.author
	a.Lock()
	defer a.Unlock()
	if a.name != "" {
		return a.name, nil
	}
	var err error
	a.name, err = t.edge.Author(t.Root())
	return a.name, err
}

// A Fired is one firing and what came of it.
type Fired struct {
	Trigger string
	Reason  string // what changed, for people
	Actions []Acted
	By      []string // who caused it, as far as that is known, sorted
}

// An Acted is one action of a firing.
type Acted struct {
	Action string
	Wrote  []string // names it changed; empty where its effect was there already
	Built  bool     // false: nothing was done; see Unbuilt
	Due    bool     // it would write what git tracks, and waits until it is asked for; see FireDue
	Err    error    // what kept it from its work; its writes were taken back
}

// Unbuilt says, for people, why an action that is not Built did nothing.
func (a Acted) Unbuilt() string { return "there is no such action; nothing was done" }

// An Outcome is what one pass did.
type Outcome struct {
	Changes []fs.Change // what was published, `.local/` left out
	Fired   []Fired
	Adopted []string // ids of decisions taken into the Ledger from a view
	Found   []string // Names of files of decisions that others wrote, and that were acted on
	Notes   []string // what people should know, such as a configuration that could not be read
	Again   bool     // somebody may be in the middle of writing a file, which is to be looked at again in a second
	Version int      // of the active session's hot context, now; 0 where none is active
}

// Failed are the actions that could not do their work.
func (o Outcome) Failed() (all []Acted) {
	for _, f := range o.Fired {
		for _, a := range f.Actions {
			if a.Err != nil {
				all = append(all, a)
			}
		}
	}
	return all
}

// Do runs edit under the lock, fires what the change and the event fire, and
// publishes all of it or nothing. What edit does to the State counts as an edit by hand, but that
// it may close items; what it does to a hot context is read back by the next change. edit may be
// nil and may run several times.
func (t *Tree) Do(ctx context.Context, ev Event, edit func(*fs.Tx) error) (Outcome, error) {
	return t.round(ctx, ev, edit == nil, func(r *round) error {
		if edit == nil {
			return nil
		}
		return inOrder(func() error { return r.readBack(edit) }, r.takeDecisions)
	})
}

// do is one round with its change.
func (t *Tree) do(ctx context.Context, change func(*round) error) (Outcome, error) {
	return t.round(ctx, Event{}, false, change)
}

// round is one round with its change. looks says that it is a watcher's look, which
// changes nothing by itself.
func (t *Tree) round(ctx context.Context, ev Event, looks bool, change func(*round) error) (Outcome, error) {
	var out Outcome
	var summarised []string
	var retold *retelling
	changes, err := t.Transaction(ctx, func(tx *fs.Tx) error {
		r := &round{tree: t, tx: tx, at: t.edge.Now().UTC(), event: ev, looks: looks}
		err := r.run(change)
		if r.unsigned != nil {
			err = r.unsigned
		}
		r.tellMasked()
		out, summarised, retold = r.out, r.summarised, r.retold
		out.Found = slices.Concat(r.written, r.fetched)
		_, out.Version = hotVersion(tx)
		return err
	})
	if err != nil {
		return Outcome{}, err
	}
	if t.edge.Summarise != nil && !t.DryRun {
		if n := len(summarised); n > 0 { // of a long import only what is newest
			if err := t.overview(ctx, summarised[n-1]); err != nil {
				out.Notes = append(out.Notes, fmt.Sprintf("the summary of %s is forgemind's own: %v", summarised[n-1], err))
			}
		}
		if retold != nil {
			if err := t.retell(ctx, *retold); err != nil {
				out.Notes = append(out.Notes, fmt.Sprintf("the summary of %s is forgemind's own: %v", retold.id, err))
			}
		}
	}
	changed := map[string]bool{}
	for _, c := range changes {
		if !fs.IsLocal(c.Name) {
			out.Changes = append(out.Changes, c)
			changed[c.Name] = true
		}
	}
	for _, f := range out.Fired { // what was staged as it stood was not written
		for i := range f.Actions {
			f.Actions[i].Wrote = slices.DeleteFunc(f.Actions[i].Wrote, func(name string) bool { return !changed[name] })
		}
	}
	return out, nil
}

// ChangeState is Do with an edit of the State. A tree without one fails with
// io/fs.ErrNotExist.
func (t *Tree) ChangeState(ctx context.Context, change func(src []byte) ([]byte, error)) (Outcome, error) {
	return t.Do(ctx, Event{}, func(tx *fs.Tx) error { return edit(tx, fs.State, change) })
}
