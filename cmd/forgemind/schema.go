package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/schema"
)

func (p *program) schemaCommand() *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "Print a JSON Schema, or list the schemas",
		ArgsUsage: "[NAME]",
		Flags:     []cli.Flag{choice("format", "how to print the list (a schema is JSON by itself)", "text", "json")},
		Action:    takes(0, 1, p.schema),
	}
}

func (p *program) schema(c *cli.Context) error {
	if c.NArg() == 0 {
		return p.listSchemas(wantsJSON(c))
	}
	name := strings.TrimSuffix(c.Args().First(), ".schema.json")
	source, ok := schema.Source(name)
	if !ok {
		return &usageError{
			fmt.Sprintf("schema: no schema %q", short(name, 60)),
			didYouMean(name, schema.Names(), "'forgemind schema' lists the schemas"),
		}
	}
	_, err := p.out.Write(source)
	return err
}

func (p *program) listSchemas(asJSON bool) error {
	if !asJSON {
		for _, name := range schema.Names() {
			p.printf("%s\n", name)
		}
		return nil
	}
	type item struct {
		ID string `json:"id"`
	}
	list := []item{}
	for _, name := range schema.Names() {
		list = append(list, item{name})
	}
	return p.printJSON(struct {
		Version int    `json:"version"`
		Schemas []item `json:"schemas"`
	}{1, list})
}
