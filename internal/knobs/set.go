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

// A Change describes a knob that was set.
type Change struct {
	Place
	Name     string // name of the knob
	From, To string // values as Get formats them; equal if nothing changed
}

// A ClashError reports a value that contradicts the value of another knob.
type ClashError struct{ schema.Contradiction }

func (e *ClashError) Error() string { return e.Msg }

// Write sets a knob in the file that already sets it, or else in the file that exists. Without a
// file it creates one in the folder home. Write changes only the value, or adds a line after the
// preceding knob. It writes nothing if the knob has the value already.
//
// The error is a *schema.KnobError if the value is invalid, a *ClashError if it contradicts other
// values, and a *yaml.Error with its file if the file cannot be edited.
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
			return Change{}, &ClashError{c}
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

// target returns the file to write a knob to and its contents: the file that sets the knob, else an
// existing file, else a new one.
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

// edit sets a knob in a file and keeps the spelling of its name there. A number is written as the
// user typed it.
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

// lineOf returns the line of a file that sets a knob.
func lineOf(src []byte, knob schema.Knob) int {
	pairs, _ := yaml.Pairs(src)
	for _, p := range pairs {
		if p.Key == knob.Name || p.Key == knob.Also && knob.Also != "" {
			return p.Line
		}
	}
	return 0
}
