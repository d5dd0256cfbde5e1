package main

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/importer"
	"github.com/forgemind/forgemind/internal/operation"
)

// mostCommits is the number of commits whose messages import reads.
const mostCommits = 20_000

func (p *program) importCommand() *cli.Command {
	var sources strings.Builder
	for _, f := range importer.Formats() {
		fmt.Fprintf(&sources, "\n  %-14s%s", f.Name, f.Summary)
	}
	fmt.Fprintf(&sources, "\n  %-14s%s", importer.Git, "decisions that commit messages state, as detected")
	fmt.Fprintf(&sources, "\n  %-14s%s", importer.JSON, "an export of the records of another tree, in JSON Lines")
	return &cli.Command{
		Name:      "import",
		Usage:     "Import decision records, rules, tasks and notes of other tools",
		ArgsUsage: "[SOURCE [PATH…]]",
		Description: "Makes records of what SOURCE holds. Without PATH the usual places are read; without SOURCE the sources that are here are listed. " +
			"Each record keeps its file, line and commit. An import again adds what is new, changes what its source changed and nobody changed here, " +
			"and tells what disagrees. Nothing is written into the sources. Sources:\n" + sources.String() +
			"\n\n'forgemind import adr --dry-run'",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "since", Usage: "with git: only commits that revision `REV` does not reach"},
			dryRunFlag(), formatFlag(),
		},
		Action: takes(0, -1, p.importSource),
	}
}

// An importOutput is the JSON output of import.
type importOutput struct {
	outcomeReport
	Source string   `json:"source"`
	Paths  []string `json:"paths"`
	operation.ImportReport
	Problems []importer.Problem `json:"not_understood"`
	Masked   int                `json:"masked"` // secrets in the source
}

func (p *program) importSource(c *cli.Context) error {
	if c.Args().Len() == 0 {
		return p.listSources(c)
	}
	source, paths := c.Args().First(), c.Args().Tail()
	if source == importer.JSON {
		return p.importExport(c, paths)
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		res, places, err := p.readSource(c, tree, source, paths)
		if err != nil {
			return err
		}
		report, out, err := operation.Import(c.Context, tree, res)
		if err != nil {
			return err
		}
		return p.tellImport(c, out, importOutput{outcomeJSON(out, c.Bool("dry-run")), source, places, report, append([]importer.Problem{}, res.Problems...), res.Masked})
	})
}

// importExport imports an export of records.
func (p *program) importExport(c *cli.Context, paths []string) error {
	if len(paths) != 1 {
		return &usageError{c.Command.HelpName + ": json takes one FILE, or '-' for standard input", usageLine(c.Command)}
	}
	src, err := p.readInput(paths[0])
	if err != nil {
		return err
	}
	files, problems := importer.Export(src)
	for i := range problems {
		problems[i].File = paths[0]
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		report, out, err := operation.ImportExport(c.Context, tree, files)
		if err != nil {
			return err
		}
		return p.tellImport(c, out, importOutput{outcomeJSON(out, c.Bool("dry-run")), importer.JSON, paths, report, append([]importer.Problem{}, problems...), 0})
	})
}

// readSource reads a source. It returns the places that it read.
func (p *program) readSource(c *cli.Context, tree *engine.Tree, source string, paths []string) (importer.Result, []string, error) {
	if c.IsSet("since") && (source != importer.Git || c.String("since") == "") {
		return importer.Result{}, nil, &usageError{c.Command.HelpName + ": --since takes a revision, and goes with git only", usageLine(c.Command)}
	}
	if source == importer.Git {
		if len(paths) > 0 {
			return importer.Result{}, nil, &usageError{c.Command.HelpName + ": git takes no path; the history of the project is read", usageLine(c.Command)}
		}
		res, err := operation.ReadCommits(c.Context, tree.Root(), c.String("since"), mostCommits)
		return res, []string{}, err
	}
	format, ok := importer.FormatNamed(source)
	if !ok {
		var names []string
		for _, f := range importer.Formats() {
			names = append(names, f.Name)
		}
		names = append(names, importer.Git, importer.JSON)
		return importer.Result{}, nil, &usageError{
			fmt.Sprintf("%s: unknown source %q; expected %s", c.Command.HelpName, short(source, 40), strings.Join(names, ", ")), usageLine(c.Command),
		}
	}
	if len(paths) > 0 {
		return p.readPaths(c, tree, format, paths)
	}
	places := format.Places(tree)
	if len(places) == 0 {
		return importer.Result{}, nil, withHint(fmt.Errorf("no %s found in the usual places", format.Summary), "name the file or the folder: 'forgemind import %s PATH'", format.Name)
	}
	res, err := operation.ReadSource(c.Context, tree.Tree, format, places, "")
	return res, places, err
}

// readPaths reads files and directories that the user names: all in the project, or one outside of it.
func (p *program) readPaths(c *cli.Context, tree *engine.Tree, format importer.Format, paths []string) (importer.Result, []string, error) {
	var places []string
	for _, path := range paths {
		abs, err := p.abs(path)
		if err != nil {
			return importer.Result{}, nil, err
		}
		if _, _, err := meant(abs); err != nil {
			return importer.Result{}, nil, tellPath(path, err)
		}
		place, inside := operation.PlaceOf(tree.Root(), abs)
		if !inside && len(paths) > 1 {
			return importer.Result{}, nil, &usageError{fmt.Sprintf("%s: %q is outside of the project; import it alone", c.Command.HelpName, short(path, 80)), usageLine(c.Command)}
		}
		if !inside {
			return p.readOutside(c, format, abs)
		}
		places = append(places, place)
	}
	res, err := operation.ReadSource(c.Context, tree.Tree, format, places, "")
	if errors.Is(err, iofs.ErrNotExist) {
		err = withHint(err, "the folder holds no file")
	}
	return res, places, err
}

// readOutside reads a file or a directory outside of the project.
func (p *program) readOutside(c *cli.Context, format importer.Format, abs string) (importer.Result, []string, error) {
	dir, base := filepath.Split(filepath.Clean(abs))
	root, err := fs.Open(filepath.Clean(dir))
	if err != nil {
		return importer.Result{}, nil, err
	}
	defer root.Close()
	res, err := operation.ReadSource(c.Context, root, format, []string{base}, filepath.Base(filepath.Clean(dir)))
	return res, []string{abs}, err
}

// tellImport prints the result of an import.
func (p *program) tellImport(c *cli.Context, out engine.Outcome, o importOutput) error {
	if wantsJSON(c) {
		return p.printJSON("import", o)
	}
	p.notes(out)
	would := ""
	if o.DryRun {
		would = "would be "
		for _, r := range o.Records {
			p.printf("%s%s %s %s  %s  %s\n", would, r.What, r.Kind, r.ID, sourcePlace(r), short(r.Text, 100))
		}
	}
	p.printf("%s: %s\n", inline(strings.Join(append([]string{o.Source}, o.Paths...), " ")), importSummary(o, would))
	for _, d := range o.Disagree {
		p.printf("disagrees: %s: %s\n  do: %s\n", placeIn(d.File, d.Line), inline(d.Message), inline(d.Hint))
	}
	for _, w := range o.Problems {
		p.note("%s: warning: not understood: %s%s", placeIn(w.File, w.Line), inline(w.Message), hintOf(w.Hint))
	}
	if o.Masked > 0 {
		p.note("forgemind: warning: %s in the source masked", count(o.Masked, "secret"))
	}
	if !o.DryRun && len(out.Changes) > 0 {
		p.printf("wrote %s\n", count(len(out.Changes), "file"))
	}
	return nil
}

// hintOf returns a hint for the end of a line.
func hintOf(hint string) string {
	if hint == "" {
		return ""
	}
	return "; " + inline(hint)
}

// sourcePlace returns the source of a record, for people.
func sourcePlace(r operation.ImportedRecord) string {
	if r.File == "" {
		return "commit " + r.Commit[:min(12, len(r.Commit))]
	}
	return placeIn(r.File, r.Line)
}

// placeIn returns a file and a line for people.
func placeIn(file string, line int) string {
	if line == 0 {
		return inline(file)
	}
	return fmt.Sprintf("%s:%d", inline(file), line)
}

// importSummary returns the numbers of an import, such as "12 decisions added, 3 as before".
func importSummary(o importOutput, would string) string {
	counts, order := map[string]int{}, []string{}
	for _, r := range o.Records {
		key := r.What + " " + r.Kind
		if counts[key]++; counts[key] == 1 {
			order = append(order, key)
		}
	}
	var parts []string
	for _, key := range order {
		what, kind, _ := strings.Cut(key, " ")
		parts = append(parts, count(counts[key], kind)+" "+would+what)
	}
	if len(parts) == 0 {
		parts = append(parts, "nothing to add")
	}
	if o.Unchanged > 0 {
		parts = append(parts, fmt.Sprintf("%d as before", o.Unchanged))
	}
	if o.Finished > 0 {
		parts = append(parts, fmt.Sprintf("%d finished and left out", o.Finished))
	}
	if n := len(o.Disagree); n > 0 {
		parts = append(parts, fmt.Sprintf("%d that disagree", n))
	}
	if n := len(o.Problems); n > 0 {
		parts = append(parts, count(n, "place")+" not understood")
	}
	return strings.Join(parts, ", ")
}

// listSources prints the sources that the project has.
func (p *program) listSources(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	found := append([]operation.FoundSource{}, operation.FindSources(tree)...)
	if wantsJSON(c) {
		return p.printList("import_sources", found)
	}
	for _, f := range found {
		p.printf("%s\n", foundLine(f))
	}
	if len(found) == 0 {
		p.note("nothing to import was found here; 'forgemind import SOURCE PATH' names a place")
	}
	return nil
}

// foundLine returns a line about a source, with the command that imports it.
func foundLine(f operation.FoundSource) string {
	return fmt.Sprintf("%s in %s: forgemind import %s %s", count(f.Items, f.Noun), inline(f.Place), f.Format, shellWord(f.Place))
}

// shellWord returns a path as one word of a shell.
func shellWord(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/@%+", r))
	}) {
		return "'" + strings.ReplaceAll(inline(s), "'", `'\''`) + "'"
	}
	return s
}
