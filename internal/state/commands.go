package state

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

const available = "/available_commands"

// Offer makes available_commands list those commands of the catalogue that
// are available in the State. Commands that the catalogue does not hold stay,
// for nothing else remembers them.
func Offer(src []byte, catalogue []schema.Command) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	if list := doc.Find(available); list < 0 || doc.Nodes[list].Kind != jsonedit.Array {
		return src, nil
	}
	wanted := make(map[string]bool, len(catalogue))
	for _, c := range catalogue {
		wanted[c.Command], _ = holds(doc, c.Availability)
	}
	listed := make(map[string]bool)
	src, err = jsonedit.Filter(src, available, func(doc *jsonedit.Doc, i int) bool {
		name, _ := doc.Str(doc.Member(i, "command"))
		listed[name] = true
		offer, known := wanted[name]
		return offer || !known
	})
	if err != nil {
		return nil, err
	}
	for _, c := range catalogue {
		if !wanted[c.Command] || listed[c.Command] {
			continue
		}
		value, err := jsonedit.Value(c)
		if err != nil {
			return nil, err
		}
		if src, err = jsonedit.Append(src, available, value); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// Offered returns the commands that available_commands lists with an
// availability; none where the State cannot be read.
func Offered(src []byte) []schema.Command {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil
	}
	list := doc.Find(available)
	if list < 0 || doc.Nodes[list].Kind != jsonedit.Array {
		return nil
	}
	var all []schema.Command
	for i := range doc.Children(list) {
		c := schema.Command{
			Command: word(doc, i, "command"), Description: word(doc, i, "description"), Availability: word(doc, i, "availability"),
		}
		if c.Command != "" && c.Availability != "" {
			all = append(all, c)
		}
	}
	return all
}

// Available says whether an availability holds in the State (see
// schema.Command), and why: what the State says of what it depends on.
func Available(src []byte, availability string) (ok bool, why string, err error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return false, "", err
	}
	ok, why = holds(doc, availability)
	return ok, why, nil
}

// holds says whether an availability holds in the State, and why: `always`,
// `when_clarity_below_N`, `when_layer_above_N`, `when_<type>_loaded`. A word
// that is none of these holds: hiding a command needs a reason.
func holds(doc *jsonedit.Doc, availability string) (ok bool, why string) {
	if n, ok := bound(availability, "when_clarity_below_"); ok {
		clarity, known := figure(doc, "/project/clarity")
		return known && clarity < n, stated("clarity", clarity, known)
	}
	if n, ok := bound(availability, "when_layer_above_"); ok {
		layer, known := figure(doc, "/project/current_layer")
		return known && layer > n, stated("layer", layer, known)
	}
	kind, ok := strings.CutPrefix(availability, "when_")
	if kind, ok2 := strings.CutSuffix(kind, "_loaded"); ok && ok2 {
		if loaded(doc, kind) {
			return true, "an artifact of type " + cut(kind) + " is loaded"
		}
		return false, "no artifact of type " + cut(kind) + " is loaded"
	}
	return true, "it is always available"
}

func stated(what string, value float64, known bool) string {
	if !known {
		return "the State does not say the " + what
	}
	return fmt.Sprintf("the %s is %v", what, value)
}

func bound(availability, prefix string) (float64, bool) {
	rest, ok := strings.CutPrefix(availability, prefix)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseFloat(rest, 64)
	return n, err == nil
}

// loaded says whether an artifact of the type is loaded.
func loaded(doc *jsonedit.Doc, kind string) bool {
	artifacts := doc.Find("/loaded_artifacts")
	if artifacts < 0 {
		return false
	}
	for i := range doc.Children(artifacts) {
		t, l := doc.Member(i, "type"), doc.Member(i, "loaded")
		if t < 0 || l < 0 || doc.Nodes[l].Kind != jsonedit.True {
			continue
		}
		if s, _ := doc.Str(t); s == kind {
			return true
		}
	}
	return false
}
