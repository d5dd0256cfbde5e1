package state

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

const available = "/available_commands"

// SetCommands sets available_commands to the commands of the catalogue that are available in the State.
// It keeps commands that the catalogue does not have.
func SetCommands(src []byte, catalogue []schema.Command) ([]byte, error) {
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

// CommandsWithPrompts returns the commands in available_commands that have an availability. It returns none if
// the State cannot be read.
func CommandsWithPrompts(src []byte) []schema.Command {
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

// Available reports whether an availability holds in the State (see schema.Command), and returns
// the reason, with the value in the State on which it depends.
func Available(src []byte, availability string) (ok bool, why string, err error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return false, "", err
	}
	ok, why = holds(doc, availability)
	return ok, why, nil
}

// holds is like Available. The availabilities are `always`, `when_clarity_below_N`,
// `when_layer_above_N` and `when_<type>_loaded`. An unknown one holds, because a command should be
// hidden only for a reason.
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
			return true, "an artifact of type " + text.QuoteASCII(kind) + " is loaded"
		}
		return false, "no artifact of type " + text.QuoteASCII(kind) + " is loaded"
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

// loaded reports whether an artifact of the type is loaded.
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
