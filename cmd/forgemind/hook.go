package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/hook"
)

func (p *program) hookCommand() *cli.Command {
	agent := severalOf("agent", "for which agent, in place of those that are here", append(hook.AgentIDs(), "all")...)
	where := []cli.Flag{
		&cli.BoolFlag{Name: "project", Usage: "in the settings of the project, which its people share (the default)"},
		&cli.BoolFlag{Name: "local", Usage: "in the user's own settings for this project (Claude Code has such)"},
		&cli.BoolFlag{Name: "user", Usage: "in the user's settings for all projects"},
	}
	flags := func(more ...cli.Flag) []cli.Flag {
		return slices.Concat([]cli.Flag{agent}, where, more, []cli.Flag{formatFlag()})
	}
	return &cli.Command{
		Name:  "hook",
		Usage: "Install and remove agents' hooks",
		Subcommands: []*cli.Command{
			{
				Name:  "install",
				Usage: "Install hooks, commands and roles for agents",
				Description: "Each agent's settings get an entry 'forgemind hook run EVENT --agent A' for each event. Agents that have\n" +
					"such files also get the slash commands, the roles (secretary, manager, auditor), and a marked block in\n" +
					"the file that they read first (AGENTS.md, CLAUDE.md, GEMINI.md). Everything else in these files stays.\n" +
					"Running it again updates what nobody changed. If one file cannot be edited, none is.\n" +
					"\nWithout --agent, hooks are installed for the agents whose folder or program is found. Entries in a\n" +
					"project name no path, because other people share them: forgemind has to be on their PATH. With --local\n" +
					"and --user they name this program if it is not on the PATH. --statusline is for Claude Code and the\n" +
					"user's own settings; an existing status line is kept. --git installs git hooks that render the views\n" +
					"after a checkout, a merge or a rebase, for programs that read them directly.\n" +
					"\nExample:\n" +
					"  forgemind hook install --agent claude --dry-run",
				Flags: flags(gitFlag(),
					&cli.BoolFlag{Name: "mcp", Usage: "the MCP server, too ('forgemind mcp')"},
					&cli.BoolFlag{Name: "statusline", Usage: "the status line, too ('forgemind statusline')"},
					&cli.BoolFlag{Name: "hooks-only", Usage: "no command files, no roles, no block"},
					dryRunFlag()),
				Action: takes(0, 0, func(c *cli.Context) error {
					if c.Bool("git") {
						return p.changeGitHooks(c, true)
					}
					return p.changeHooks(c, hook.Install)
				}),
			},
			{
				Name:  "uninstall",
				Usage: "Remove what 'hook install' has installed",
				Description: "A settings file that nobody changed since becomes what it was, byte for byte; a file or folder that was\n" +
					"made is removed. A command file or block that was edited stays, and is reported.",
				Flags: flags(gitFlag(), dryRunFlag()),
				Action: takes(0, 0, func(c *cli.Context) error {
					if c.Bool("git") {
						return p.changeGitHooks(c, false)
					}
					return p.changeHooks(c, hook.Uninstall)
				}),
			},
			{
				Name:  "status",
				Usage: "Show what is installed, and whether it can run",
				Description: "With --cost: how many tokens (o200k) hooks told agents, by session and event, as far as they remember it.\n" +
					"That is the user's own, in this working copy.",
				Flags: flags(&cli.BoolFlag{Name: "cost", Usage: "how many tokens hooks told agents"}),
				Action: takes(0, 0, func(c *cli.Context) error {
					if c.Bool("cost") {
						return p.hookCost(c)
					}
					return p.hookStatus(c)
				}),
			},
			{
				Name:  "views",
				Usage: "Render the views that git ignores",
				Description: "The State and the hot context show the records of the commit that is checked out. A view that somebody\n" +
					"edited stays as it is: the next command reads it. Nothing that git tracks changes, and no trigger fires.",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 0, p.renderViews),
			},
			p.hookRunCommand(),
		},
	}
}

func gitFlag() cli.Flag {
	return &cli.BoolFlag{Name: "git", Usage: "git's own hooks, and nothing else: they render the views after a checkout, a merge or a rebase"}
}

// changeGitHooks puts our lines into git's hooks, or takes them out.
func (p *program) changeGitHooks(c *cli.Context, install bool) error {
	for _, other := range []string{"agent", "local", "user", "mcp", "statusline", "hooks-only"} {
		if c.IsSet(other) {
			return &usageError{c.Command.HelpName + ": --git goes with no --" + other, usageLine(c.Command)}
		}
	}
	root, err := p.root(c)
	if err != nil {
		return err
	}
	made, err := hook.Git(c.Context, root, install)
	if err != nil {
		return faultHint(err)
	}
	defer made.Close()
	dryRun := c.Bool("dry-run")
	if !dryRun {
		made.DoGit()
	}
	if wantsJSON(c) {
		err = p.hooksJSON(made, dryRun)
	} else {
		p.tellHooks(c, made, dryRun)
	}
	return errors.Join(err, faultHint(errors.Join(made.Faults...)))
}

// renderViews renders the views that git ignores.
func (p *program) renderViews(c *cli.Context) error {
	return p.change(c, "rendered the views", func(ctx context.Context, tree *engine.Tree) (engine.Outcome, error) {
		return tree.RenderViews(ctx)
	})
}

// hookWish is what the flags of a hook command ask for.
func (p *program) hookWish(c *cli.Context) (hook.Wish, error) {
	wish := hook.Wish{Scope: hook.Project, Servers: c.Bool("mcp"), Status: c.Bool("statusline"), HooksOnly: c.Bool("hooks-only")}
	asked := 0
	for _, scope := range []hook.Scope{hook.Project, hook.Local, hook.User} {
		if c.Bool(string(scope)) {
			wish.Scope = scope
			asked++
		}
	}
	if asked > 1 {
		return wish, &usageError{c.Command.HelpName + ": --project, --local and --user: one of them", usageLine(c.Command)}
	}
	if wish.Servers && wish.Scope == hook.Local {
		return wish, &usageError{c.Command.HelpName + ": --mcp: an agent has no servers of the user's own in a project", "leave out --local, or --mcp"}
	}
	wish.Agents = slices.Compact(slices.Sorted(slices.Values(c.StringSlice("agent"))))
	if slices.Contains(wish.Agents, "all") {
		wish.Agents = hook.AgentIDs()
	}
	if wish.Status && len(wish.Agents) > 0 && !slices.Contains(wish.Agents, "claude") {
		return wish, &usageError{c.Command.HelpName + ": --statusline: only Claude Code has such a line", "leave out --statusline, or take --agent claude"}
	}
	return wish, nil
}

// hookWorld is where hooks are installed. With mustBe the project must have a tree;
// else the working directory will do, so that what outlived a tree can be taken out.
func (p *program) hookWorld(c *cli.Context, scope hook.Scope, mustBe bool) (hook.World, error) {
	w := p.userWorld()
	if scope == hook.User {
		return w, nil
	}
	root, err := p.root(c)
	if errors.Is(err, fs.ErrNoTree) && !mustBe && !c.IsSet("tree") {
		root, err = p.abs(".")
	}
	w.Project = root
	return w, err
}

// userWorld returns the user's own of the machine, without a project.
func (p *program) userWorld() hook.World {
	w := hook.World{Getenv: p.Getenv, LookPath: exec.LookPath, State: p.stateFolder()}
	if program, err := os.Executable(); err == nil {
		w.Program = program
	}
	if home := cmp.Or(p.Getenv("HOME"), p.Getenv("USERPROFILE")); filepath.IsAbs(home) {
		w.Home = filepath.Clean(home)
	}
	return w
}

// stateFolder returns the folder in which forgemind keeps what is the user's own; "" where
// nothing says where that is.
func (p *program) stateFolder() string {
	if state := p.Getenv("XDG_STATE_HOME"); filepath.IsAbs(state) { // relative ones are to be passed over
		return filepath.Join(state, "forgemind")
	}
	if home := cmp.Or(p.Getenv("HOME"), p.Getenv("USERPROFILE")); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state", "forgemind")
	}
	return ""
}

// A changedFile is a file that installing or taking out changes.
type changedFile struct {
	File   string `json:"id"`
	Change string `json:"change"` // made, edited or removed
	Diff   string `json:"diff,omitempty"`
}

// changeHooks carries a plan out, or shows it.
func (p *program) changeHooks(c *cli.Context, plan func(hook.World, hook.Wish) (*hook.Plan, error)) error {
	wish, err := p.hookWish(c)
	if err != nil {
		return err
	}
	w, err := p.hookWorld(c, wish.Scope, c.Command.Name == "install")
	if err != nil {
		return err
	}
	made, err := plan(w, wish)
	if err != nil {
		return faultHint(err)
	}
	defer made.Close()
	dryRun := c.Bool("dry-run")
	if !dryRun {
		made.Do()
	}
	if c.Command.Name == "install" && len(made.Edits) > 0 {
		if _, err := w.LookPath("forgemind"); err != nil {
			made.Notes = append(made.Notes, hook.Note{Text: notOnPath(w, made.Program())})
		}
	}
	for _, err := range made.Faults {
		var fault *hook.Fault
		if errors.As(err, &fault) {
			fault.File = p.shown(fault.File)
		}
	}
	if wantsJSON(c) {
		err = p.hooksJSON(made, dryRun)
	} else {
		p.tellHooks(c, made, dryRun)
	}
	return errors.Join(err, faultHint(errors.Join(made.Faults...)))
}

// notOnPath says what it means that the PATH has no forgemind, and what helps.
// starts is the program that hooks start.
func notOnPath(w hook.World, starts string) string {
	text := "forgemind is not on the PATH, where agents look for it"
	if starts != "forgemind" {
		text = "forgemind is not on the PATH: the hooks start " + starts + ", but the commands that agents are told of need it there"
	}
	if strings.TrimSuffix(filepath.Base(w.Program), ".exe") == "forgemind" {
		text += "; it is in " + filepath.Dir(w.Program)
	}
	return text
}

// faultHint adds the hint of the first file that could not be edited.
func faultHint(err error) error {
	var fault *hook.Fault
	if errors.As(err, &fault) && fault.Hint != "" {
		return withHint(err, "%s", fault.Hint)
	}
	return err
}

func (p *program) hooksJSON(made *hook.Plan, dryRun bool) error {
	changes := []changedFile{}
	for _, e := range made.Edits {
		changes = append(changes, changedFile{p.shown(e.File), changeOf(e), hook.Diff(filepath.ToSlash(p.shown(e.File)), e.Before, e.After)})
	}
	notes := []hook.Note{}
	for _, n := range made.Notes {
		if n.File != "" {
			n.File = p.shown(n.File)
		}
		notes = append(notes, n)
	}
	skipped := append([]hook.Skip{}, made.Skipped...)
	return p.printJSON(struct {
		Version int           `json:"version"`
		DryRun  bool          `json:"dry_run,omitzero"`
		Agents  []string      `json:"agents"`
		Skipped []hook.Skip   `json:"skipped"`
		Changes []changedFile `json:"changes"`
		Notes   []hook.Note   `json:"notes"`
	}{1, dryRun, orEmpty(made.Agents), skipped, changes, notes})
}

func changeOf(e *hook.Edit) string {
	switch {
	case e.After == nil:
		return "removed"
	case e.Before == nil:
		return "made"
	}
	return "edited"
}

// tellHooks prints what an install or uninstall did: one line, and the files with
// --verbose; or what it would do.
func (p *program) tellHooks(c *cli.Context, made *hook.Plan, dryRun bool) {
	for _, s := range made.Skipped {
		p.note("forgemind: note: %s: skipped: %s", s.Agent, s.Why)
	}
	for _, n := range made.Notes {
		text := inline(n.Text)
		if n.File != "" {
			text = inline(p.shown(n.File)) + ": " + text
		}
		p.note("forgemind: note: %s", text)
	}
	did := "installed hooks for " + cmp.Or(strings.Join(made.Agents, ", "), "git")
	if c.Command.Name == "uninstall" {
		did = "removed hooks"
	}
	switch {
	case len(made.Edits) == 0 && len(made.Faults) == 0:
		p.printf("nothing to change\n")
	case len(made.Edits) > 0 && !dryRun:
		p.printf("%s (%s)\n", did, count(len(made.Edits), "file"))
	}
	for _, e := range made.Edits {
		name := p.shown(e.File)
		switch {
		case dryRun:
			p.verbatim([]byte(hook.Diff(filepath.ToSlash(name), e.Before, e.After)))
		case p.verbose:
			p.printf("%s %s\n", changeOf(e), inline(name))
		}
	}
}
