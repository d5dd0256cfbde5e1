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
	Said   map[string]Place // by the knob's name: where a file says so; what is not there is a default
	Faults []Fault          // what was passed over: the default holds
}

// A Place is where a knob stands.
type Place struct {
	File string
	Line int // 1-based
}

// A Fault is a setting that is none, or a file that is no YAML.
type Fault struct {
	Place
	Msg string // fit for a terminal
}

// Read reads the knobs of a tree; where both folders have a file, that of
// .forgemind/ holds, knob by knob. What is wrong with a file is a Fault; errors
// are those of the disk. Values that contradict each other are one too, and the
// defaults hold for all of them.
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

// load reads what the files say, whether or not it contradicts itself.
func load(r fs.Reader) (Set, error) {
	set := Set{Knobs: schema.DefaultKnobs(), Said: map[string]Place{}}
	for _, name := range []string{fs.QuaidKnobs, fs.Knobs} { // what is read last holds
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

// place is where the first line is that sets one of names, in the file that sets
// the first of them that is set at all.
func (set *Set) place(names []string) (first Place) {
	for _, name := range names {
		at, ok := set.Said[name]
		if ok && (first.File == "" || at.File == first.File && at.Line < first.Line) {
			first = at
		}
	}
	return first
}

// read lays what a file says over what is there.
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

// settings are the lines of a file as schema judges them.
func settings(pairs []yaml.Pair) []schema.Setting {
	list := make([]schema.Setting, len(pairs))
	for i, p := range pairs {
		list[i] = schema.Setting{Name: p.Key, Value: p.Value, Quoted: p.Quoted(), Nothing: p.Kind == yaml.Null, Complex: p.Kind == yaml.Other}
	}
	return list
}
