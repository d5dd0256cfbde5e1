package knobs

import (
	"cmp"
	"errors"
	iofs "io/fs"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/yaml"
	"github.com/forgemind/forgemind/schema"
)

// A Set is the knobs of a tree.
type Set struct {
	schema.Knobs
	Said   map[string]Place // place of each setting, by name; other knobs have their defaults
	Faults []Fault          // settings that were skipped
}

// A Place is the position of a setting.
type Place struct {
	File string
	Line int // 1-based
}

// A Fault is an invalid setting, or a file that is not valid YAML.
type Fault struct {
	Place
	Msg string // without control characters
}

// Read reads the knobs of a tree. If both folders have a file, the values of the one in .forgemind/
// take precedence. Problems in a file are returned as faults; errors are those of the disk. If
// values contradict each other, that is a fault and their defaults hold.
func Read(r fs.Reader) (Set, error) {
	set, err := load(r)
	if err != nil {
		return set, err
	}
	var clashes []schema.Contradiction
	set.Knobs, clashes = set.Consistent()
	for _, c := range clashes {
		at := set.place(c.Names)
		set.fault(at.File, at.Line, c.Msg)
	}
	for _, c := range clashes {
		for _, name := range c.Names {
			delete(set.Said, name)
		}
	}
	slices.SortStableFunc(set.Faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return set, nil
}

// load reads the files and does not check for contradictions.
func load(r fs.Reader) (Set, error) {
	set := Set{Knobs: schema.DefaultKnobs(), Said: map[string]Place{}}
	for _, name := range []string{fs.QuaidKnobs, fs.Knobs} { // later files take precedence
		src, err := r.Read(name)
		switch {
		case errors.Is(err, iofs.ErrNotExist):
		case errors.Is(err, fs.ErrIrregular), errors.Is(err, fs.ErrTooLarge):
			set.fault(name, 1, err.Error())
		case err != nil:
			return set, err
		default:
			set.read(name, src)
		}
	}
	return set, nil
}

// place returns the first line that sets one of names. It looks in the file that sets the first of
// these names that is set at all.
func (set *Set) place(names []string) (first Place) {
	for _, name := range names {
		at, ok := set.Said[name]
		if ok && (first.File == "" || at.File == first.File && at.Line < first.Line) {
			first = at
		}
	}
	return first
}

// read adds the settings of a file and replaces earlier values.
func (set *Set) read(name string, src []byte) {
	pairs, err := yaml.Pairs(src)
	if err != nil {
		line := 1
		if at, ok := errors.AsType[*yaml.Error](err); ok {
			line, err = at.Line, errors.New(at.Msg)
		}
		set.fault(name, line, "no YAML that could be used: "+err.Error())
		return
	}
	k, said, faults := set.ReadKnobs(settings(pairs))
	set.Knobs = k
	for knob, i := range said {
		set.Said[knob] = Place{name, pairs[i].Line}
	}
	for _, f := range faults {
		set.fault(name, pairs[f.At].Line, f.Msg)
	}
}

func (set *Set) fault(name string, line int, msg string) {
	set.Faults = append(set.Faults, Fault{Place{name, line}, msg})
}

// settings returns the lines of a file in the form that schema checks.
func settings(pairs []yaml.Pair) []schema.Setting {
	list := make([]schema.Setting, len(pairs))
	for i, p := range pairs {
		list[i] = schema.Setting{Name: p.Key, Value: p.Value, Quoted: p.Quoted(), Nothing: p.Kind == yaml.Null, Complex: p.Kind == yaml.Other}
	}
	return list
}
