package knobs

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/yaml"
	"github.com/forgemind/forgemind/schema"
)

// A Change is a knob that was set.
type Change struct {
	Place
	Name     string // of the knob
	From, To string // its values, as Get gives them; the same where nothing changed
}

// A Clash is the error of a value that contradicts that of another knob.
type Clash struct{ schema.Contradiction }

func (e *Clash) Error() string { return e.Msg }

// Write gives a knob a value, in the file that sets it, or else in the one that
// is there; home is the folder that gets a file where there is none. Only the
// value changes, or a line is added behind that of the knob before. A value that
// holds already is not written again.
//
// The error is a *schema.KnobError for a value that is none, a *Clash for one
// that cannot hold beside the others, a *yaml.Error with its file for a file that
// cannot be edited.
func Write(tx *fs.Tx, home, name, value string) (Change, error) {
	set, err := load(tx)
	if err != nil {
		return Change{}, err
	}
	knob, ok := schema.FindKnob(name)
	before, wanted := set.Knobs, set.Knobs
	if err := wanted.Set(name, value); err != nil || !ok {
		return Change{}, err
	}
	for _, c := range wanted.Contradictions() {
		if slices.Contains(c.Names, knob.Name) {
			return Change{}, &Clash{c}
		}
	}
	change := Change{Name: knob.Name}
	change.From, _ = before.Get(knob.Name)
	change.To, _ = wanted.Get(knob.Name)
	at, said := set.Said[knob.Name]
	if change.Place = at; said && change.From == change.To {
		return change, nil
	}
	file, src, err := target(tx, home, at.File)
	if err != nil {
		return change, err
	}
	out, err := edit(src, knob, change.To, value)
	if err != nil {
		return change, fmt.Errorf("%s: %w", file, err)
	}
	tx.Write(file, out)
	change.Place = Place{file, lineOf(out, knob)}
	return change, nil
}

// target is the file that a knob is written to, and what it holds: the one that
// sets it, or else the one that is there, or else a new one.
func target(tx *fs.Tx, home, said string) (name string, src []byte, err error) {
	for _, name := range []string{said, fs.Knobs, fs.QuaidKnobs} {
		if name == "" {
			continue
		}
		if src, err = tx.Read(name); !errors.Is(err, iofs.ErrNotExist) {
			return name, src, err
		}
	}
	return home + "/" + fs.KnobsFile, New(), nil
}

// edit sets a knob in a file, by the spelling that it has there. A number stands
// as it was typed.
func edit(src []byte, knob schema.Knob, value, typed string) ([]byte, error) {
	pairs, err := yaml.Pairs(src)
	if err != nil {
		return nil, err
	}
	key := knob.Name
	for _, p := range slices.Backward(pairs) {
		if p.Key == knob.Name || p.Key == knob.Also && knob.Also != "" {
			key = p.Key
		}
	}
	var before []string
	for _, k := range schema.AllKnobs() {
		if k.Name == knob.Name {
			break
		}
		before = append(before, k.Name)
		if k.Also != "" {
			before = append(before, k.Also)
		}
	}
	if knob.Unit != "switch" && knob.Unit != "path" && knob.Unit != "model" {
		value = typed
	}
	return yaml.Set(src, key, value, before...)
}

// lineOf is the line of a file that sets a knob.
func lineOf(src []byte, knob schema.Knob) int {
	pairs, _ := yaml.Pairs(src)
	for _, p := range pairs {
		if p.Key == knob.Name || p.Key == knob.Also && knob.Also != "" {
			return p.Line
		}
	}
	return 0
}
