package validate

import (
	"errors"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/internal/yaml"
	"github.com/forgemind/forgemind/schema"
)

// A knobFile is a parsed context-config.yaml.
type knobFile struct {
	pairs  []yaml.Pair
	knobs  schema.Knobs
	said   map[string]int // the index of the pair of each knob, by name
	faults []schema.KnobFault
	wrong  *yaml.Error // the error if it could not be read
}

// knobFile returns the parsed d, nil if d is not a context-config.yaml or is too large.
func (d *document) knobFile() *knobFile {
	if d.kind != fs.DocKnobs || len(d.src) > maxSize {
		return nil
	}
	if d.settings == nil {
		d.settings = readKnobFile(d.src)
	}
	return d.settings
}

func readKnobFile(src []byte) *knobFile {
	f := &knobFile{knobs: schema.DefaultKnobs()}
	var err error
	if f.pairs, err = yaml.Pairs(src); err != nil {
		if !errors.As(err, &f.wrong) {
			f.wrong = &yaml.Error{Line: 1, Msg: text.Limit(err.Error(), 200)}
		}
		return f
	}
	settings := make([]schema.Setting, len(f.pairs))
	for i, p := range f.pairs {
		settings[i] = schema.Setting{Name: p.Key, Value: p.Value, Quoted: p.Quoted(), Nothing: p.Kind == yaml.Null, Complex: p.Kind == yaml.Other}
	}
	f.knobs, f.said, f.faults = f.knobs.ReadKnobs(settings)
	return f
}

// knobFaults reports invalid settings with the given reason.
func (d *document) knobFaults(why, hint string) {
	f := d.knobFile()
	if f == nil {
		return
	}
	for _, fault := range f.faults {
		if fault.Why != why || isSummarizer(fault.Name) {
			continue
		}
		p := f.pairs[fault.At]
		at := p.At
		if why == schema.UnknownKnob || why == schema.KnobTwice {
			at = p.KeyAt
		}
		said := hint
		if near := schema.NearKnob(fault.Name); why == schema.UnknownKnob && near != "" {
			said = "did you mean " + near + "?"
		}
		d.report(at, knobPointer(fault.Name), fault.Msg, said)
	}
}

// clash returns the first knob of a contradiction that is set in the file, and its
// offset. It returns false if none is set here.
func (f *knobFile) clash(c schema.Contradiction) (offset int, name string, ok bool) {
	for _, one := range c.Names {
		if i, set := f.said[one]; set && (!ok || f.pairs[i].At < offset) {
			offset, name, ok = f.pairs[i].At, one, true
		}
	}
	return offset, name, ok
}

// knobPointer returns the pointer of a finding about a knob.
func knobPointer(name string) string {
	if plain(name) != name {
		return ""
	}
	return "/" + name
}
