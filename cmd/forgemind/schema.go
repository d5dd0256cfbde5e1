package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/schema"
)

func (p *program) schemaCommand() *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "Print the JSON Schema of a document or an output",
		ArgsUsage: "[NAME]",
		Description: "Without NAME, lists the schemas. output/KIND is the schema of what commands print with --format json; see " +
			"docs/json.md.\n'forgemind schema output/decisions'",
		Flags:  []cli.Flag{choice("format", "how to print the list (a schema is JSON by itself)", "text", "json")},
		Action: takes(0, 1, p.schema),
	}
}

// outputPrefix begins the names of the schemas of outputs.
const outputPrefix = "output/"

func (p *program) schema(c *cli.Context) error {
	if c.NArg() == 0 {
		return p.listSchemas(wantsJSON(c))
	}
	name := strings.TrimSuffix(c.Args().First(), ".schema.json")
	for _, o := range outputs() {
		if outputPrefix+o.Name == name {
			text, err := o.Schema()
			return p.writeJSON(text, err)
		}
	}
	source, ok := schema.Source(name)
	if !ok {
		return &usageError{
			fmt.Sprintf("schema: no schema %q", short(name, 60)),
			didYouMean(name, schemaNames(), "'forgemind schema' lists the schemas"),
		}
	}
	return p.printSource(string(source))
}

// schemaNames returns the names of the schemas of documents, then of outputs, each sorted.
func schemaNames() []string {
	var ofOutputs []string
	for _, o := range outputs() {
		ofOutputs = append(ofOutputs, outputPrefix+o.Name)
	}
	slices.Sort(ofOutputs)
	return append(schema.Names(), ofOutputs...)
}

// A schemaName is an item of the list of schemas.
type schemaName struct {
	ID string `json:"id"`
}

func (p *program) listSchemas(asJSON bool) error {
	list := []schemaName{}
	for _, name := range schemaNames() {
		if !asJSON {
			p.printf("%s\n", name)
		}
		list = append(list, schemaName{name})
	}
	if !asJSON {
		return nil
	}
	return p.printList("schemas", list)
}
