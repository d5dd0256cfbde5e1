package main

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/exporter"
	"github.com/forgemind/forgemind/internal/present"
	"github.com/forgemind/forgemind/internal/text"
)

func (p *program) exportCommand() *cli.Command {
	return &cli.Command{
		Name:  "export",
		Usage: "Write the tree for readers that do not have forgemind",
		Description: "Secrets are masked. A file that forgemind did not write, or that was changed since, is overwritten with --force " +
			"only. See docs/export.md.",
		Subcommands: []*cli.Command{
			{
				Name:  "adr",
				Usage: "Write the decisions as decision records (MADR 4)",
				Description: "Writes one file for each decision, numbered in order of time. Files that were exported before keep their names; " +
					"a new decision adds a file and changes those that it supersedes.\n'forgemind export adr --output docs/adr'",
				Flags:  exportFlags("directory of the decision records (`DIR`)", nil),
				Action: takes(0, 0, p.exportADR),
			},
			{
				Name:  "json",
				Usage: "Write records, discussions and memory as JSON Lines",
				Description: "Writes one object a line: each is a file of the tree, or a line of one that holds lines. 'forgemind schema " +
					"output/export' prints the schema of a line.\n'forgemind export json > tree.jsonl'",
				Flags:  exportFlags("`FILE`; default: standard output", exporter.FileKinds()),
				Action: takes(0, 0, p.exportJSON),
			},
			{
				Name:        "md",
				Usage:       "Write a report of what happened and what is open",
				Description: "For a release, a week or a pull request.\n'forgemind export md --since 7d'",
				Flags:       exportFlags("`FILE`; default: standard output", exporter.ReportKinds()),
				Action:      takes(0, 0, p.exportReport),
			},
			{
				Name:        "html",
				Usage:       "Write a page that opens without a server",
				Description: "The page shows records, discussions and memory, with a search. It loads nothing.\n'forgemind export html --output tree.html'",
				Flags:       exportFlags("`FILE` of the page", exporter.Kinds()),
				Action:      takes(0, 0, p.exportPage),
			},
		},
	}
}

// exportFlags returns the flags of an export. Without kinds it has no --kind.
func exportFlags(output string, kinds []string) []cli.Flag {
	flags := []cli.Flag{&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: output}, sinceFlag()}
	if kinds != nil {
		flags = append(flags, kindsFlag(kinds))
	}
	return append(flags,
		&cli.BoolFlag{Name: "force", Usage: "overwrite files that forgemind did not write, or that were changed", DisableDefaultText: true},
		dryRunFlag(), formatFlag())
}

// An exportReport is the output of export with --format json.
type exportReport struct {
	DryRun bool           `json:"dry_run,omitzero"`
	Files  []exportedFile `json:"files"`
	Text   string         `json:"text,omitzero"` // of a report without a file
}

// An exportedFile is a file of an export.
type exportedFile struct {
	File   string `json:"file"`
	Change string `json:"change"` // created, updated, unchanged
}

// export opens the tree and calls fn with what the flags select.
func (p *program) export(c *cli.Context, fn func(tree *fs.Tree, q exporter.Query) error) error {
	since, err := p.since(c)
	if err != nil {
		return err
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	return fn(tree, exporter.Query{Kinds: kindFlagValue(c), Since: since})
}

func (p *program) exportADR(c *cli.Context) error {
	return p.export(c, func(tree *fs.Tree, q exporter.Query) error {
		var faults []exporter.Fault
		err := p.exportTo(c, tree, "a directory, such as docs/adr", func(out *fs.Outside, name string) (files []exporter.File, err error) {
			files, faults, err = exporter.ADRs(tree, out, name, q.Since)
			return files, err
		})
		if err != nil {
			return err
		}
		return p.exportFaults(faults)
	})
}

func (p *program) exportJSON(c *cli.Context) error {
	return p.export(c, func(tree *fs.Tree, q exporter.Query) error {
		lines := exporter.JSON(tree, q)
		var all bytes.Buffer
		for _, l := range lines.All {
			line, err := present.Line(l.Kind, l)
			if err != nil {
				lines.Faults = append(lines.Faults, exporter.Fault{Name: l.File, Err: err})
				continue
			}
			all.Write(append(line, '\n'))
		}
		if n := len(lines.Masked); n > 0 {
			p.note("forgemind: warning: %s masked", text.Count(n, "secret"))
		}
		if n := lines.Unrecorded; n > 0 {
			p.note("forgemind: warning: %s only in a view, and not exported; 'forgemind migrate' makes records of what views show", text.Count(n, "entry"))
		}
		err := error(nil)
		if c.IsSet("output") {
			err = p.exportFile(c, tree, all.Bytes())
		} else {
			err = p.printSource(all.String())
		}
		if err != nil {
			return err
		}
		return p.exportFaults(lines.Faults)
	})
}

func (p *program) exportReport(c *cli.Context) error {
	return p.export(c, func(tree *fs.Tree, q exporter.Query) error {
		report := exporter.Report(tree, q)
		switch {
		case c.IsSet("output"):
			return p.exportFile(c, tree, exporter.Stamp(report, "report"))
		case wantsJSON(c):
			return p.printJSON("exported", exportReport{Files: []exportedFile{}, Text: string(report)})
		}
		return p.printSource(string(report))
	})
}

func (p *program) exportPage(c *cli.Context) error {
	return p.export(c, func(tree *fs.Tree, q exporter.Query) error {
		return p.exportFile(c, tree, exporter.Page(tree, q))
	})
}

// exportFile writes the file in --output.
func (p *program) exportFile(c *cli.Context, tree *fs.Tree, data []byte) error {
	return p.exportTo(c, tree, "a file", func(_ *fs.Outside, name string) ([]exporter.File, error) {
		return []exporter.File{{Name: name, Data: data}}, nil
	})
}

// exportTo writes the files that render returns to the place in --output; wanted describes
// that place.
func (p *program) exportTo(c *cli.Context, tree *fs.Tree, wanted string, render func(out *fs.Outside, name string) ([]exporter.File, error)) error {
	if c.String("output") == "" {
		return &usageError{c.Command.HelpName + ": --output missing", "name " + wanted}
	}
	at, err := p.abs(c.String("output"))
	if err != nil {
		return err
	}
	dir, name := filepath.Dir(at), filepath.Base(at)
	if rel, err := filepath.Rel(tree.Root(), at); err == nil && filepath.IsLocal(rel) {
		dir, name = tree.Root(), filepath.ToSlash(rel)
	}
	out, err := fs.OpenOutside(dir)
	if err != nil {
		return withHint(err, "make the directory %s, or name another place", p.shown(dir))
	}
	defer out.Close()
	files, err := render(out, name)
	var changes []exporter.Change
	if err == nil {
		changes, err = exporter.Plan(out, files, c.Bool("force"))
	}
	if err == nil && !c.Bool("dry-run") {
		err = exporter.Write(out, changes)
	}
	var refused *exporter.RefusedError
	if errors.As(err, &refused) {
		refused.Name = p.shown(filepath.Join(dir, refused.Name))
	}
	if err != nil {
		return err
	}
	report := exportReport{DryRun: c.Bool("dry-run"), Files: []exportedFile{}}
	for _, change := range changes {
		report.Files = append(report.Files, exportedFile{filepath.ToSlash(p.shown(filepath.Join(dir, change.Name))), change.What})
	}
	return p.tellExport(c, report)
}

// tellExport prints what happened to the files. Unchanged ones are counted.
func (p *program) tellExport(c *cli.Context, report exportReport) error {
	if wantsJSON(c) {
		return p.printJSON("exported", report)
	}
	unchanged := 0
	for _, f := range report.Files {
		switch {
		case f.Change == exporter.Unchanged:
			unchanged++
		case report.DryRun:
			p.printf("would be %s: %s\n", f.Change, inline(f.File))
		default:
			p.printf("%s %s\n", f.Change, inline(f.File))
		}
	}
	if unchanged > 0 || len(report.Files) == 0 {
		p.printf("%s unchanged\n", text.Count(unchanged, "file"))
	}
	return nil
}

// exportFaults reports files that could not be exported. The exit code is then 1.
func (p *program) exportFaults(faults []exporter.Fault) error {
	for _, f := range faults {
		p.note("forgemind: error: %s is not exported: %s", inline(f.Name), inline(fmt.Sprint(f.Err)))
	}
	if len(faults) > 0 {
		return errFindings
	}
	return nil
}
