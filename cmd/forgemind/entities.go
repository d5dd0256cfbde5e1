package main

import (
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) entitiesCommand() *cli.Command {
	return &cli.Command{
		Name:  "entities",
		Usage: "List the files, people and terms of the session",
		Description: "They are found in the messages by rules and by the lists in the project's config.json. The newest of each\n" +
			"kind are kept.",
		Flags:  []cli.Flag{formatFlag()},
		Action: takes(0, 0, p.listEntities),
	}
}

// A listedEntity is an entity as JSON for programs.
type listedEntity struct {
	ID   string `json:"id"` // its name
	Kind string `json:"kind"`
}

func (p *program) listEntities(c *cli.Context) error {
	hot, err := p.readHot(c)
	if err != nil {
		return err
	}
	if !wantsJSON(c) {
		for _, line := range entityLines(hot.KeyEntities) {
			p.printLines(line + "\n")
		}
		return nil
	}
	return p.printJSON(struct {
		Version  int            `json:"version"`
		Entities []listedEntity `json:"entities"`
	}{1, entitiesOf(hot)})
}

// entitiesOf are the entities of a hot context, the known kinds first.
func entitiesOf(hot schema.HotContext) []listedEntity {
	list := []listedEntity{}
	for _, kind := range kindsOf(hot.KeyEntities) {
		for _, name := range hot.KeyEntities[kind] {
			list = append(list, listedEntity{name, kind})
		}
	}
	return list
}

// kindsOf are the kinds of entities, the known ones first, then what else there
// is by name.
func kindsOf(entities map[string][]string) []string {
	kinds := extract.Kinds()
	for _, kind := range slices.Sorted(maps.Keys(entities)) {
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}
