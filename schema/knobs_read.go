package schema

import "fmt"

// A Setting is a line of context-config.yaml: a name, and what stands behind it.
type Setting struct {
	Name    string
	Value   string // as it stands, without quotes
	Quoted  bool   // there are quotes around it
	Nothing bool   // there is no value
	Complex bool   // it is a list, a mapping or a reference
}

// Why a Setting is a fault.
const (
	UnknownKnob = "unknown" // there is no knob of that name
	KnobTwice   = "twice"   // it was set before; the first holds
	WrongValue  = "value"   // it is none for this knob
	UnusedValue = "unused"  // a path that is not used
)

// A KnobFault is what is wrong with a Setting. The default holds, unless it says
// something else.
type KnobFault struct {
	At   int    // which Setting
	Why  string // UnknownKnob …
	Name string // as the Setting spells it
	Msg  string // with the name in it; fit for a terminal
}

// ReadKnobs are the knobs of a file's settings over k, which Setting each
// knob, by its Name, is from, and what is wrong. The values may contradict each
// other: that is for who knows all files.
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
			fault(UnknownKnob, "there is no knob %s", shown(s.Name))
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

// with is k with one setting, if it is fit.
func (k Knobs) with(s Setting) Knobs {
	k.Set(s.Name, s.Value)
	return k
}

// fits says whether a setting is written as the knob has to be.
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
