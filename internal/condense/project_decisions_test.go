package condense

import (
	"slices"
	"testing"

	"github.com/forgemind/forgemind/schema"
)

// A project's decisions are those that name it or one of its channels, and of those that name
// neither, those in a chain with one of them.
func TestDecisionsOfAProject(t *testing.T) {
	p := Project{ProjectRecord: schema.ProjectRecord{ID: "walls", Name: "Walls", Channels: []string{"proj-walls"}}, File: ".forgemind/projects/walls/project.json"}
	at := func(day string) string { return "2026-03-" + day + "T09:00:00Z" }
	all := []schema.Decision{
		{ID: "DEC-FIRST", Timestamp: at("01"), Decision: "Clay"},                                        // replaced twice over by one of the project
		{ID: "DEC-SECOND", Timestamp: at("02"), Decision: "Brick", Supersedes: schema.IDs{"DEC-FIRST"}}, // replaced by one of the project
		{ID: "DEC-NAMED", Timestamp: at("03"), Decision: "Stone", Project: "Walls", Supersedes: schema.IDs{"DEC-SECOND"}},
		{ID: "DEC-SAID", Timestamp: at("04"), Decision: "Lime", Channel: "#proj-walls"},
		{ID: "DEC-LATER", Timestamp: at("05"), Decision: "Cement", Supersedes: schema.IDs{"DEC-SAID"}},                // replaces one of the project
		{ID: "DEC-ALONE", Timestamp: at("06"), Decision: "Pears"},                                                     // nobody's
		{ID: "DEC-GATE", Timestamp: at("07"), Decision: "Oak", Project: "gates", Supersedes: schema.IDs{"DEC-ALONE"}}, // another project's
	}
	var got []string
	for _, d := range p.decisions(schema.Current(all)) {
		got = append(got, d.ID)
	}
	if want := []string{"DEC-FIRST", "DEC-SECOND", "DEC-NAMED", "DEC-SAID", "DEC-LATER"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}
