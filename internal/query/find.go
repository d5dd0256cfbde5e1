package query

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// Kinds of things that can only be found by an id.
const (
	kindChange   = "change"
	kindSnapshot = "snapshot"
)

// A finder finds the thing of a name.
type finder struct {
	gathering
	chunks []Thing // those of cold storage
	read   bool    // chunks were read
}

func newFinder(tree *fs.Tree) *finder {
	f := &finder{gathering: gather(tree, nil, true)}
	f.kinds = nil
	for _, t := range slices.Clone(f.all) {
		for _, c := range t.record.Changes {
			what := whatOf(t.record.Kind, c) + " " + t.ID
			f.add(Thing{
				Kind: kindChange, ID: c.ID, Title: what, Text: what, Time: c.At, By: c.By, File: c.Name,
				value: struct {
					Of    string          `json:"of"`
					After []string        `json:"after,omitempty"`
					At    string          `json:"at"`
					By    string          `json:"by"`
					Set   records.Members `json:"set"`
				}{c.Of, c.After, c.At, c.By, c.Set},
			})
		}
	}
	snapshots, _ := state.History(tree)
	for _, s := range snapshots {
		t := Thing{Kind: kindSnapshot, ID: s.ID, Title: s.ID, Text: s.ID, Session: s.Session, File: s.Name}
		if !s.Time.IsZero() {
			t.Time = schema.FormatTime(s.Time)
		}
		f.add(t)
	}
	return f
}

// find returns the thing that which names; see [Show].
func (f *finder) find(which string) (Thing, error) {
	want := strings.TrimSpace(which)
	low := strings.ToLower(want)
	prefix := func(id string) bool { return strings.HasPrefix(strings.ToLower(id), low) }
	for _, look := range []func() ([]Thing, error){
		func() ([]Thing, error) { return f.those(func(t *Thing) bool { return t.is(want) }), nil },
		func() ([]Thing, error) { return f.said(want, func(id string) bool { return id == want }) },
		func() ([]Thing, error) {
			return f.those(func(t *Thing) bool { return !t.repeats && strings.EqualFold(strings.TrimSpace(t.Title), want) }), nil
		},
		func() ([]Thing, error) {
			said, err := f.said(want, prefix)
			return append(f.those(func(t *Thing) bool { return prefix(t.ID) || t.Alias != "" && prefix(t.Alias) }), said...), err
		},
		func() ([]Thing, error) {
			return f.those(func(t *Thing) bool { return !t.repeats && strings.Contains(strings.ToLower(t.Title), low) }), nil
		},
	} {
		if want == "" {
			break
		}
		found, err := look()
		switch {
		case err != nil:
			return Thing{}, err
		case len(found) == 1:
			return f.whole(found[0]), nil
		case len(found) > 1:
			return Thing{}, f.ambiguous(which, found)
		}
	}
	return Thing{}, f.unknown(which)
}

// those returns the things for which a condition is true, each once; one of the Ledger comes
// before those that repeat it.
func (f *finder) those(is func(*Thing) bool) (found []Thing) {
	for i := range f.all {
		t := &f.all[i]
		if is(t) && !slices.ContainsFunc(found, func(o Thing) bool { return o.Kind == t.Kind && o.ID == t.ID }) {
			found = append(found, *t)
		}
	}
	return found
}

// said returns the wanted messages and chunks of cold storage whose ids contain part.
func (f *finder) said(part string, wanted func(id string) bool) ([]Thing, error) {
	found, err := messagesWith(f.tree, part, wanted)
	if err != nil {
		return nil, err
	}
	if !f.read {
		f.read = true
		all, _, err := cold.List(f.tree)
		if err != nil {
			return nil, err
		}
		for _, c := range all {
			f.chunks = append(f.chunks, ofChunk(c))
		}
	}
	for _, c := range f.chunks {
		if wanted(c.ID) {
			found = append(found, c)
		}
	}
	return found, nil
}

// whole returns a thing with the members that only its file has.
func (f *finder) whole(t Thing) Thing {
	if t.Kind != kindSnapshot {
		return t
	}
	if _, src, err := state.Recall(f.tree, t.ID); err == nil {
		t.value = rawJSON(src)
	}
	return t
}

// ambiguous returns the error for a name that several things have.
func (f *finder) ambiguous(which string, found []Thing) error {
	e := &session.AmbiguousError{What: "record", Which: which}
	for _, t := range found {
		about := t.Kind
		if t.SupersededBy != "" {
			about += ", superseded by " + t.SupersededBy
		}
		e.Among = append(e.Among, word(t.ID)+" ("+about+": "+excerpter{standing: f.standing}.title(&t)+")")
	}
	return e
}

// unknown returns the error for a name that no thing has. For a chunk that left cold storage,
// it names the file that has it now.
func (f *finder) unknown(which string) error {
	_, err := cold.Get(f.tree, which)
	if gone := new(cold.GoneError); errors.As(err, &gone) {
		return gone
	}
	e := &session.UnknownError{What: "record", Which: which}
	for _, t := range f.all {
		e.Known = append(e.Known, t.ID)
		if t.Kind == kindCondensation {
			e.Known = append(e.Known, strings.TrimSuffix(path.Base(t.ID), ".md"))
		}
	}
	return e
}
