package main

import (
	"fmt"
	iofs "io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/audit"
	briefing "github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/query"
)

func (p *program) governsCommand() *cli.Command {
	return &cli.Command{
		Name:      "governs",
		Usage:     "List what applies to a file",
		ArgsUsage: "PATH",
		Description: "PATH need not exist, and may name a line or a function. For a folder, what names a file in it is listed\n" +
			"as well. Superseded decisions are marked. --follow reads git's history, which takes longer: it finds\n" +
			"files that were moved without being changed at once. The exit code is 0 also if nothing applies.\n" +
			"\nExample:\n" +
			"  forgemind governs internal/auth/jwt.go:42",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "follow", Usage: "also what names the file as it was called before"},
			&cli.BoolFlag{Name: "strict", Usage: "exit 1 where something could not be checked"},
			formatFlag(),
		},
		Action: takes(1, 1, p.governs),
	}
}

func (p *program) governs(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	given := p.withoutPlace(c.Args().First())
	if given == "" {
		return &usageError{c.Command.HelpName + ": PATH is empty", usageLine(c.Command)}
	}
	at, err := p.asked(c, given, tree.Root())
	if err != nil {
		return err
	}
	there, isFolder := standing(tree, at, given)
	if isFolder {
		at += "/"
	}
	var former []string
	var gaps []audit.Gap
	if c.Bool("follow") {
		if former, err = query.FormerNames(c.Context, tree, path.Clean(at)); err != nil {
			gaps = append(gaps, audit.Gap{What: "what " + path.Clean(at) + " was called before", Why: err.Error()})
		}
	}
	g, err := query.Governs(c.Context, tree, at, former...)
	if err != nil {
		return err
	}
	g.NotChecked = gaps
	if err := p.printGoverning(c, g, there); err != nil {
		return err
	}
	if c.Bool("strict") && len(g.NotChecked)+len(g.Faults) > 0 {
		return errFindings
	}
	return nil
}

// printGoverning prints what governs a path, and whether nothing stands there.
func (p *program) printGoverning(c *cli.Context, g query.Governing, there bool) error {
	for _, gap := range g.NotChecked {
		p.noteGap(gap)
	}
	for _, fault := range g.Faults {
		p.note("forgemind: warning: %s", inline(fault))
	}
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version int `json:"version"`
			query.Governing
		}{1, g})
	}
	if g.Count() == 0 {
		p.printf("nothing governs %s: no constraint, decision, condensation, thread or note names it or a folder above it\n", short(g.Path, 200))
		if !there {
			p.note("forgemind: hint: nothing stands at this path; is it written as the file is called?")
		}
		return nil
	}
	p.printLines(p.governors(g))
	return nil
}

// asked is a path given by the user, relative to the project directory, whether
// either was reached through a link or not. From outside the project that --tree
// names, a path is one below it.
func (p *program) asked(c *cli.Context, given, root string) (string, error) {
	at, outside := p.inTree(c, given, root)
	if outside == nil {
		return at, nil
	}
	if c.IsSet("tree") && !filepath.IsAbs(given) { // it can only be meant from there
		return p.inTree(c, filepath.Join(root, given), root)
	}
	abs, err := p.abs(given)
	if err != nil {
		return "", err
	}
	rest := ""
	for {
		real, err := filepath.EvalSymlinks(abs)
		if err == nil {
			abs = filepath.Join(real, rest)
			break
		}
		parent := filepath.Dir(abs)
		if parent == abs {
			return "", outside
		}
		rest, abs = filepath.Join(filepath.Base(abs), rest), parent
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return "", outside
	}
	if at, err := p.inTree(c, abs, root); err == nil {
		return at, nil
	}
	return "", outside
}

// standing says whether something stands at a path, and whether that is a folder,
// which a slash at the end of what was given says too.
func standing(tree *fs.Tree, at, given string) (there, isFolder bool) {
	fi, err := tree.Look(at)
	if err == nil && fi.Mode()&iofs.ModeSymlink != 0 {
		fi, err = os.Stat(filepath.Join(tree.Root(), filepath.FromSlash(at)))
	}
	return err == nil, os.IsPathSeparator(given[len(given)-1]) || err == nil && fi.IsDir()
}

// governors are the lines of a list for people.
func (p *program) governors(g query.Governing) string {
	var lines strings.Builder
	for _, list := range []struct {
		what string
		of   []briefing.Governor
	}{
		{"constraint", g.Constraints}, {"decision", g.Decisions}, {"condensation", g.Condensations}, {"thread", g.Threads}, {"note", g.Notes},
	} {
		for _, one := range list.of {
			notes := []string{"names " + one.Names}
			if one.By == briefing.ByFormer {
				notes[0] += ", as it was called before"
			}
			if one.File != "" && path.Base(one.File) != one.ID {
				notes = append(notes, "in "+p.at(one.File))
			}
			if one.SupersededBy != "" {
				notes = append(notes, "superseded by "+one.SupersededBy)
			}
			fmt.Fprintf(&lines, "%-12s  %s  %s  %s%s\n", list.what, one.Date, one.ID, one.Text, bracketed(notes))
		}
	}
	if g.Unrelated != nil {
		fmt.Fprintln(&lines, audit.UnrelatedText(g.Unrelated, g.Path))
	}
	return lines.String()
}

// placed is a path with what may stand behind it: a line, with a column or not, a
// range of lines, or the name of a function or method.
var placed = lazyregexp.New(`^(.*?[^:/\\]):(?:\d+(?:[:-]\d+)?|[\pL_][\pL\pN_]*(?:\.[\pL_][\pL\pN_]*)?|\(\*?[\pL_][\pL\pN_]*\)\.[\pL_][\pL\pN_]*)(?:\(\))?$`)

// withoutPlace is a path without the line or the function behind it. A drive such
// as C: is no such thing, and neither is a part of a file's name.
func (p *program) withoutPlace(given string) string {
	m := placed.FindStringSubmatch(given)
	if m == nil || len(m[1]) < len("C:") {
		return given
	}
	if abs, err := p.abs(given); err == nil {
		if _, err := os.Lstat(abs); err == nil {
			return given
		}
	}
	return m[1]
}
