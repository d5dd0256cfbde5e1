package main

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/copies"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/schema"
)

// errNoHome reports that nothing can be copied because the environment names no home.
var errNoHome = withHint(&unmetError{"there is no home folder to keep copies in"}, "set HOME or XDG_STATE_HOME")

// copiesCheck reports the status of the copies of ignored files.
func (p *program) copiesCheck(c *cli.Context, tree *fs.Tree) health.Check {
	check := health.Check{ID: "copies", State: health.Info}
	home := copies.Home(p.Getenv)
	if home == "" {
		check.State, check.Message, check.Hint = health.Caution, errNoHome.Error(), "set HOME or XDG_STATE_HOME"
		return check
	}
	s, err := copies.Look(c.Context, tree, home)
	switch {
	case errors.Is(err, git.ErrNoRepository):
		check.State, check.Message = health.OK, "there is no git repository here, so that git removes nothing"
		return check
	case err != nil:
		check.State, check.Message = health.Caution, "what git ignores is not known: "+err.Error()
		return check
	}
	p.judgeCopies(&check, s, engine.CopiesOff(tree), engine.CopyFailure(tree))
	return check
}

// judgeCopies sets the result of a check of copies.
func (p *program) judgeCopies(check *health.Check, s copies.Status, off bool, failure string) {
	switch {
	case len(s.Lost) > 0:
		verb := "are"
		if len(s.Lost) == 1 {
			verb = "is"
		}
		check.State = health.Caution
		check.Message = fmt.Sprintf("%s %s missing here, which the copy has: %s", count(len(s.Lost), "conversation file"), verb, firstOf(s.Lost))
		check.Hint = "'forgemind doctor --restore' brings them back; with --dry-run it says what it would do"
	case len(s.Former) > 0:
		check.State = health.Caution
		check.Message = fmt.Sprintf("found a copy of project %s that was made in %s", s.Former[0].Origin.Name, s.Former[0].Origin.Tree)
		check.Hint = "if that was this tree, 'forgemind doctor --restore --from " + s.Former[0].Dir + "' brings back what is missing here"
	case off:
		check.Message = "switched off: conversations and cold storage that git ignores are only here"
		check.Hint = "'forgemind config set copies on' switches them on"
	case s.Err != nil:
		check.State, check.Message = health.Caution, "nothing can be copied: "+s.Err.Error()
		check.Hint = "see that it can be read and written, or name another folder by XDG_STATE_HOME"
	case failure != "":
		check.State, check.Message = health.Caution, "the last try to copy failed: "+failure
		check.Hint = "'forgemind doctor --copy' tries again"
	case s.Files == 0 && s.Behind == 0:
		check.State, check.Message = health.OK, "no conversation files that git ignores, so nothing to copy"
	case s.Files == 0:
		check.Message = fmt.Sprintf("there is no copy yet of %s that git ignores; the next compaction makes it, and so does 'forgemind doctor --copy'", count(s.Behind, "file"))
	default:
		check.State, check.Message = health.OK, p.copiesAsTheyAre(s)
	}
}

// copiesAsTheyAre describes the number, the age and the place of the copies.
func (p *program) copiesAsTheyAre(s copies.Status) string {
	text := fmt.Sprintf("%s, %s, in %s", count(s.Files, "file"), byteSize(s.Bytes), s.Dir)
	if at, err := schema.ParseTime(s.Origin.At); err == nil {
		text += fmt.Sprintf("; up to date %s ago", max(0, p.Now().Sub(at)).Round(time.Second))
	}
	if s.Behind > 0 {
		text += fmt.Sprintf("; %s not copied yet", count(s.Behind, "file"))
	}
	return text
}

// A copyReport is the JSON output of doctor --copy and --restore.
type copyReport struct {
	DryRun    bool          `json:"dry_run,omitzero"`
	Dir       string        `json:"dir"`
	Files     []copies.File `json:"files"`
	Unchanged *int          `json:"unchanged,omitempty"`
	Stays     []copies.Stay `json:"stays,omitempty"`
}

// copyNow implements doctor --copy.
func (p *program) copyNow(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		switch {
		case tree.Edge().Copies == "":
			return errNoHome
		case engine.CopiesOff(tree.Tree):
			return withHint(&unmetError{"copies are switched off by config.json"}, "'forgemind config set copies on' switches them on")
		}
		report, err := tree.CopyNow(c.Context)
		if errors.Is(err, git.ErrNoRepository) {
			return withHint(&unmetError{"there is no git repository here, so that git removes nothing; no copy is made"}, "copies are of what git ignores")
		}
		if err != nil {
			return err
		}
		if wantsJSON(c) {
			return p.printJSON("copies", copyReport{Dir: report.Dir, Files: append([]copies.File{}, report.Files...), Unchanged: &report.Unchanged})
		}
		if report.Dir == "" {
			p.printf("nothing to copy: no conversation files that git ignores\n")
			return nil
		}
		written := int64(0)
		for _, f := range report.Files {
			written += f.Bytes
		}
		p.printf("copied %s, %s, to %s; %d up to date\n", count(len(report.Files), "file"), byteSize(written), inline(report.Dir), report.Unchanged)
		return nil
	})
}

// restoreCopies implements doctor --restore.
func (p *program) restoreCopies(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		from := ""
		if c.IsSet("from") {
			var err error
			if from, err = p.abs(c.String("from")); err != nil {
				return err
			}
		} else if tree.Edge().Copies == "" {
			return errNoHome
		}
		plan, out, err := tree.RestoreCopies(c.Context, from)
		if errors.Is(err, iofs.ErrNotExist) {
			return withHint(missing(fmt.Sprintf("there is no copy of this tree in %s", inline(plan.Dir))),
				"'forgemind doctor' names copies of the project that were made in another place")
		}
		if err != nil {
			return err
		}
		p.warn(out)
		if wantsJSON(c) {
			return p.printJSON("copies", copyReport{DryRun: c.Bool("dry-run"), Dir: plan.Dir, Files: append([]copies.File{}, plan.Files...), Stays: plan.Stays})
		}
		p.tellRestored(plan, c.Bool("dry-run"))
		return nil
	})
}

// tellRestored prints what was restored, or would be, and the files that differ and stay.
func (p *program) tellRestored(plan copies.Plan, dryRun bool) {
	would := ""
	if dryRun {
		would = "would be "
	}
	for _, f := range plan.Files {
		what := "restored"
		if f.Change == copies.Extended {
			what = "restored from the end of what is here"
		}
		p.printf("%s%s %s\n", would, what, inline(f.Name))
	}
	for _, s := range plan.Stays {
		p.note("forgemind: note: %s differs from %s and is not changed", inline(s.Name), inline(s.Copy))
	}
	if len(plan.Files) == 0 {
		p.printf("nothing is missing that is in %s\n", inline(plan.Dir))
	}
}

// firstOf returns the first name, and the number of the others.
func firstOf(names []string) string {
	if len(names) > 1 {
		return fmt.Sprintf("%s and %d more", names[0], len(names)-1)
	}
	return names[0]
}

// byteSize returns n bytes for people.
func byteSize(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return count(int(n), "byte")
}
