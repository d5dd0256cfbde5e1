package schema

import "fmt"

// A Setting is a line of context-config.yaml: a name and its value.
type Setting struct {
	Name    string
	Value   string // as written, without quotes
	Quoted  bool   // the value has quotes
	Nothing bool   // there is no value
	Complex bool   // the value is a list, a mapping or a reference
}

// The reasons why a Setting is invalid.
const (
	UnknownKnob = "unknown" // no knob has that name
	KnobTwice   = "twice"   // the knob was set before; the first setting applies
	WrongValue  = "value"   // the value is not valid for this knob
	UnusedValue = "unused"  // the path is not used
)

// A KnobFault describes an invalid Setting. The default applies, unless the fault says
// otherwise.
type KnobFault struct {
	At   int    // index of the Setting
	Why  string // one of UnknownKnob, KnobTwice, WrongValue, UnusedValue
	Name string // the name in the Setting
	Msg  string // a message that contains the name; safe to print
}

// ReadKnobs returns k changed by settings, the index of the Setting of each knob by the
// knob's Name, and the invalid settings. The values may contradict each other, because
// other files may set more knobs; see Consistent.
func (k Knobs) ReadKnobs(settings []Setting) (Knobs, map[string]int, []KnobFault) {
	said, seen := map[string]int{}, map[string]int{}
	var faults []KnobFault
	for i, s := range settings {
		fault := func(why, format string, args ...any) {
			faults = append(faults, KnobFault{At: i, Why: why, Name: s.Name, Msg: fmt.Sprintf(format, args...)})
		}
		knob, ok := FindKnob(s.Name)
		switch {
		case s.Name == "":
			fault(UnknownKnob, "a knob has a name")
			continue
		case !ok:
			fault(UnknownKnob, "unknown knob %s", shown(s.Name))
			continue
		}
		if first, twice := seen[knob.Name]; twice {
			if settings[first].Name == s.Name {
				fault(KnobTwice, "%s is there twice; the first holds", s.Name)
			} else if one, other := k.with(settings[first]), k.with(s); one != other {
				fault(KnobTwice, "%s and %s are one knob, with two values; the first holds", settings[first].Name, s.Name)
			}
			continue
		}
		seen[knob.Name] = i
		err := knob.fits(s)
		if err == nil {
			err = k.Set(s.Name, s.Value)
		}
		switch e, _ := err.(*KnobError); {
		case e == nil:
			said[knob.Name] = i
		case e.Unused:
			fault(UnusedValue, "%s: %s", s.Name, e.Msg)
		default:
			fault(WrongValue, "%s: %s", s.Name, e.Msg)
		}
	}
	return k, said, faults
}

// with returns k changed by one setting, or k if the setting is invalid.
func (k Knobs) with(s Setting) Knobs {
	k.Set(s.Name, s.Value)
	return k
}

// fits returns an error if the setting does not have the form of the knob.
func (k Knob) fits(s Setting) error {
	text := k.Unit == "path" || k.Unit == "model"
	switch {
	case s.Nothing && k.Unit != "model":
		return k.wants("")
	case s.Complex:
		return &KnobError{Msg: k.Expects() + " is expected, not a list, a mapping or a reference"}
	case s.Quoted && !text:
		return &KnobError{Msg: k.Expects() + " is expected, not a text in quotes"}
	}
	return nil
}
