package schema

// A Knob is one of Knobs, for people and for judging what a file says.
type Knob struct {
	Name    string // as context-config.yaml spells it
	Also    string // another spelling that is read; "" for none
	Section string // heading of the memfas plan it stands under
	Means   string // one sentence
	Unit    string // ratio, weight, tokens, chunks, days, path, model, switch
}

// AllKnobs are the knobs in the order of the memfas plan.
func AllKnobs() []Knob { panic("not built") }

// Set sets the knob of that name, or of another spelling of it, to a value as a
// file spells it. The error says what was expected, without the name.
func (k *Knobs) Set(name, value string) error { panic("not built") }

// Get is the value of a knob as a file spells it; false where there is none of
// that name.
func (k Knobs) Get(name string) (value string, ok bool) { panic("not built") }

// A Contradiction is knobs whose values cannot hold together.
type Contradiction struct {
	Names []string
	Msg   string
}

// Contradictions of the values among each other, such as a trigger above the
// hard limit.
func (k Knobs) Contradictions() []Contradiction { panic("not built") }

// Deciding are those knobs that decide what is dropped, as one line: what a log
// keeps as config_used.
func (k Knobs) Deciding() string { panic("not built") }
