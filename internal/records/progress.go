package records

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// progressPrefix begins the name of a member of the project's record that holds what was
// reached in a layer, a schema.Progress; the layer's number follows.
const progressPrefix = "progress/"

// IsProgress reports whether a member of the project's record holds what was reached in a
// layer. It follows from the changes of layer and clarity, and no change needs to set it.
func IsProgress(name string) bool {
	_, ok := layerIn(name)
	return ok
}

// layerIn returns the layer that the name of a member of the project's record has behind
// progressPrefix; false for other names.
func layerIn(name string) (layer int, ok bool) {
	rest, ok := strings.CutPrefix(name, progressPrefix)
	layer, err := strconv.Atoi(rest)
	return layer, ok && err == nil && strconv.Itoa(layer) == rest
}

// Derive returns the record of a project, and nothing else tells of it, with what follows from
// its changes: what was reached in each layer, and a status if nobody gave it one.
func (r Record) Derive() Record {
	r.derives = true
	r.Members = journeyOf(r.Base).follow(r.order, r.Members)
	if _, given := r.SetBy("status"); !given {
		r.Members = r.Members.begun()
	}
	return r
}

// Derives reports whether the members hold what follows from the changes; see [Record.Derive].
func (r Record) Derives() bool { return r.derives }

// A journey holds how far a project came by its changes.
type journey struct {
	layer   int
	clarity float64 // percent
	reached map[int]*reached
	layers  map[string]int // by the id of a change: the layer that it left the project in
}

// A reached holds what was reached in a layer.
type reached struct {
	schema.Progress
	said    json.RawMessage // by the record or a change, with members that forgemind does not know
	changed bool            // since
}

// journeyOf returns where a project with those members stands.
func journeyOf(m Members) *journey {
	j := &journey{reached: map[int]*reached{}, layers: map[string]int{}}
	layer, _ := m.Number(Layer)
	j.layer = int(layer)
	j.clarity, _ = m.Number("clarity")
	j.take(m)
	return j
}

// take takes over what members say was reached. It returns the layers that they speak of.
func (j *journey) take(m Members) map[int]bool {
	layers := map[int]bool{}
	for name, value := range m {
		layer, ok := layerIn(name)
		if !ok {
			continue
		}
		p := reached{said: value}
		if layers[layer] = true; jsonedit.Decode(value, &p.Progress) != nil || string(value) == "null" {
			delete(j.reached, layer)
		} else {
			j.reached[layer] = &p
		}
	}
	return layers
}

// follow follows changes in their order, and returns the members that they lead to with what
// was reached.
func (j *journey) follow(changes []Change, to Members) Members {
	for _, c := range changes {
		j.step(c)
	}
	return j.members(to)
}

// step follows a change. What the change itself says was reached holds: versions before
// this one wrote that.
func (j *journey) step(c Change) {
	said := j.take(c.Set)
	number, entered := c.Set.Number(Layer)
	clarity, moved := c.Set.Number("clarity")
	layer := j.layer
	if entered {
		layer = int(number)
		j.layer = layer
	} else if saw, ok := j.saw(c); ok {
		layer = saw
	}
	j.layers[c.ID] = layer
	if moved {
		j.clarity = clarity
	}
	back := entered && c.Command == schema.BacktrackCommand
	if (entered || moved) && !said[layer] {
		p := j.at(layer)
		if entered {
			p.Invalidated = false
		}
		if _, err := schema.ParseTime(c.At); err == nil && entered && (!back || p.Entered == "") {
			p.Entered = c.At
		}
		p.Clarity, p.Best = j.clarity, max(p.Best, j.clarity)
	}
	if back {
		for _, layer := range j.behind() {
			if !said[layer] {
				j.at(layer).Invalidated = true
			}
		}
	}
}

// saw returns the layer that a change found the project in, where the changes before it say so:
// another clone may have moved the project at the same time.
func (j *journey) saw(c Change) (layer int, ok bool) {
	for _, id := range c.After {
		at, known := j.layers[id]
		if known && ok && at != layer {
			return 0, false
		}
		if known {
			layer, ok = at, true
		}
	}
	return layer, ok
}

// Invalidated returns what the layers that are behind the one of members are to hold once they
// are in doubt, by the names of the members.
func (m Members) Invalidated() Members {
	j, set := journeyOf(m), Members{}
	for _, layer := range j.behind() {
		j.at(layer).Invalidated = true
		set[progressPrefix+strconv.Itoa(layer)] = j.reached[layer].value()
	}
	return set
}

// Restored returns what members are to hold of what others held in a former time: which artifacts
// were worked on, and the status. What they do not say stays, and so does that the project has
// begun.
func (m Members) Restored(then Members) Members {
	set := Members{}
	names := []string{"status"}
	for _, layer := range schema.LayerNames() {
		names = append(names, "current_"+strings.ToLower(layer))
	}
	for _, name := range names {
		value, said := then[name]
		if !said || then.Text(name) == schema.NotStarted || m[name] == nil && string(value) == "null" {
			continue
		}
		set[name] = value
	}
	return set
}

// at returns what was reached in a layer, to be changed.
func (j *journey) at(layer int) *schema.Progress {
	if j.reached[layer] == nil {
		j.reached[layer] = &reached{}
	}
	j.reached[layer].changed = true
	return &j.reached[layer].Progress
}

// behind returns the layers that are in doubt once a project went back to its layer: the next
// one, which was left, and every later one that was reached.
func (j *journey) behind() (layers []int) {
	for n := j.layer + 1; n < len(schema.LayerNames()); n++ {
		if n == j.layer+1 || j.reached[n] != nil {
			layers = append(layers, n)
		}
	}
	return layers
}

// members returns m with what was reached. Where the project stands is what m says: between
// concurrent changes that may be another place than the last one's. It is in no doubt.
func (j *journey) members(m Members) Members {
	m = maps.Clone(m)
	if m == nil {
		m = Members{}
	}
	maps.DeleteFunc(m, func(name string, _ json.RawMessage) bool { return IsProgress(name) })
	layer, _ := m.Number(Layer)
	clarity, _ := m.Number("clarity")
	if n := int(layer); j.reached[n] != nil && (n != j.layer || clarity != j.clarity || j.reached[n].Invalidated) {
		p := j.at(n)
		p.Clarity, p.Best, p.Invalidated = clarity, max(p.Best, clarity), false
	}
	for n, p := range j.reached {
		m[progressPrefix+strconv.Itoa(n)] = p.value()
	}
	return m
}

// Reached returns members with their clarity as reached in their layer.
func (m Members) Reached() Members {
	j := journeyOf(m)
	if p := j.reached[j.layer]; j.clarity == 0 && p == nil || p != nil && p.Clarity == j.clarity {
		return m
	}
	return j.follow([]Change{{Set: Members{"clarity": m["clarity"]}}}, m)
}

// HasStatus reports whether members of a project have a status other than "Not Started".
func (m Members) HasStatus() bool {
	given := string(m["status"])
	return given != "" && given != `""` && m.Text("status") != schema.NotStarted
}

// Begun returns members of a project that has begun: with a status.
func (m Members) Begun() Members {
	if m.HasStatus() {
		return m
	}
	m = maps.Clone(m)
	m["status"] = json.RawMessage(strconv.Quote(schema.InProgress))
	return m
}

// begun returns members with a status if something was reached.
func (m Members) begun() Members {
	layer, _ := m.Number(Layer)
	clarity, _ := m.Number("clarity")
	if layer > 0 || clarity > 0 || slices.ContainsFunc(slices.Collect(maps.Keys(m)), IsProgress) {
		return m.Begun()
	}
	return m
}

// value returns what was reached as the State shows it.
func (p *reached) value() json.RawMessage {
	if p.said != nil && !p.changed {
		return p.said
	}
	m := Members{}
	if p.said != nil && json.Unmarshal(p.said, &m) != nil {
		m = Members{} // no object
	}
	for _, known := range []string{"entered", "clarity", "best", "invalidated"} {
		delete(m, known)
	}
	text, err := jsonedit.Value(p.Progress)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if err == nil {
			pointer := "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
			text, err = jsonedit.Set(text, pointer, m[name])
		}
	}
	if err != nil {
		panic(fmt.Errorf("what was reached in a layer: %w", err)) // numbers, a text, and what was decoded
	}
	return text
}

// Number returns the member name if it is a number.
func (m Members) Number(name string) (n float64, ok bool) {
	n, err := strconv.ParseFloat(string(m[name]), 64)
	return n, err == nil
}
