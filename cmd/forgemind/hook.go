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
	"github.com/forgemind/forgemind/internal/copies"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/hook"
)

func (p *program) hookCommand() *cli.Command {
	agent := choice("agent", "for which agent, in place of those that are here", append(hook.AgentIDs(), "all")...)
	agent.(*choiceFlag).Value = ""
	where := []cli.Flag{
		&cli.BoolFlag{Name: "project", Usage: "in the settings of the project, which all share (the default)", DisableDefaultText: true},
		&cli.BoolFlag{Name: "local", Usage: "in your own settings for this project (Claude Code only)", DisableDefaultText: true},
		&cli.BoolFlag{Name: "user", Usage: "in your settings for all projects", DisableDefaultText: true},
	}
	flags := func(more ...cli.Flag) []cli.Flag {
		return slices.Concat([]cli.Flag{agent}, where, more, []cli.Flag{formatFlag()})
	}
	return &cli.Command{
		Name:  "hook",
		Usage: "Connect forgemind to agents and to git",
		Subcommands: []*cli.Command{
			{
				Name:  "install",
				Usage: "Install hooks, commands and instructions for agents",
				Description: "Adds an entry for each event to the agent's own settings, and a marked block to the file that it reads\n" +
					"first (AGENTS.md, CLAUDE.md, GEMINI.md); what is there stays. --with adds more: the MCP server ('forgemind\n" +
					"mcp'), slash commands, roles (secretary, manager, auditor) and the status line. On a terminal it asks what to\n" +
					"add, unless a flag says so. A second run changes nothing; after a release it updates what is installed and\n" +
					"nobody changed. If one file cannot be edited, no file is. Without --agent, installs for the agents whose folder or\n" +
					"program is there. In a project's settings the entries have no path, so forgemind must be on everybody's PATH;\n" +
					"with --local and --user they name this program if it is not on the PATH. The status line is for Claude Code and\n" +
					"never replaces one. With --git, installs lines in git's own hooks instead, which update the views\n" +
					"after a checkout, merge or rebase.\n" +
					"'forgemind hook install --agent claude --dry-run' shows every line.",
				Flags: flags(slices.Concat([]cli.Flag{gitFlag()}, partFlags(), []cli.Flag{dryRunFlag()})...),
				Action: takes(0, 0, func(c *cli.Context) error {
					if c.Bool("git") {
						return p.changeGitHooks(c, true)
					}
					return p.changeHooks(c, hook.Install)
				}),
			},
			{
				Name:  "uninstall",
				Usage: "Remove what 'hook install' installed, and nothing else",
				Description: "A settings file that did not change since becomes what it was, byte for byte. Files and folders that " +
					"were created are removed. A command file or block that was changed by hand stays, and is reported.",
				Flags: flags(gitFlag(), dryRunFlag()),
				Action: takes(0, 0, func(c *cli.Context) error {
					if c.Bool("git") {
						return p.changeGitHooks(c, false)
					}
					return p.changeHooks(c, hook.Uninstall)
				}),
			},
			{
				Name:   "status",
				Usage:  "Show what is installed for which agent",
				Flags:  flags(),
				Action: takes(0, 0, p.hookStatus),
			},
			{
				Name:  "views",
				Usage: "Update the views after a checkout (for git's hooks)",
				Description: "The State and the hot context then show the records of the commit that is checked out. A view that was " +
					"edited by hand stays as it is until the next command reads it. Nothing that git tracks changes, and no " +
					"trigger fires.",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 0, p.renderViews),
			},
			p.hookRunCommand(),
		},
	}
}

func gitFlag() cli.Flag {
	return &cli.BoolFlag{Name: "git", Usage: "git's hooks only, which update the views after a checkout, merge or rebase, and check documents before a commit", DisableDefaultText: true}
}

// changeGitHooks adds our lines to git's hooks, or removes them.
func (p *program) changeGitHooks(c *cli.Context, install bool) error {
	for _, other := range []string{"agent", "local", "user", "with", "all", "mcp", "statusline", "hooks-only", "yes"} {
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
		p.tellHooks(made, dryRun)
	}
	return errors.Join(err, faultHint(errors.Join(made.Faults...)))
}

// renderViews renders the views that git ignores.
func (p *program) renderViews(c *cli.Context) error {
	return p.change(c, "rendered the views", func(ctx context.Context, tree *engine.Tree) (engine.Outcome, error) {
		return tree.RenderViews(ctx)
	})
}

// hookWish returns the wish for the flags of a hook command.
func (p *program) hookWish(c *cli.Context) (hook.InstallRequest, error) {
	wish := hook.InstallRequest{Scope: hook.Project}
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
	switch id := c.String("agent"); id {
	case "":
	case "all":
		wish.Agents = hook.AgentIDs()
	default:
		wish.Agents = []string{id}
	}
	return wish, p.chooseParts(c, &wish)
}

// hookWorld returns the machine of an installation. If mustBe is true, the project must have a
// tree. Otherwise the working directory is enough, so that hooks can be removed after their tree.
func (p *program) hookWorld(c *cli.Context, scope hook.Scope, mustBe bool) (hook.Machine, error) {
	w := hook.Machine{Getenv: p.Getenv, LookPath: exec.LookPath}
	if program, err := os.Executable(); err == nil {
		w.Program = program
	}
	if home := cmp.Or(p.Getenv("HOME"), p.Getenv("USERPROFILE")); filepath.IsAbs(home) {
		w.Home = filepath.Clean(home)
	}
	w.State = copies.Home(p.Getenv)
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

// A changedFile is a file that an installation or its removal changes.
type changedFile struct {
	File   string `json:"id"`
	Change string `json:"change"` // made, edited or removed
	Diff   string `json:"diff,omitempty"`
}

// changeHooks executes a plan, or prints it.
func (p *program) changeHooks(c *cli.Context, plan func(hook.Machine, hook.InstallRequest) (*hook.Plan, error)) error {
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
		var fault *hook.FileError
		if errors.As(err, &fault) {
			fault.File = p.shown(fault.File)
		}
	}
	if wantsJSON(c) {
		err = p.hooksJSON(made, dryRun)
	} else {
		p.tellHooks(made, dryRun)
	}
	return errors.Join(err, faultHint(errors.Join(made.Faults...)))
}

// notOnPath returns a message about a PATH without forgemind. The argument starts is the program
// that the hooks start.
func notOnPath(w hook.Machine, starts string) string {
	text := "forgemind is not on the PATH, where agents look for it"
	if starts != "forgemind" {
		text = "forgemind is not on the PATH: the hooks start " + starts + ", but the commands in agents' instructions need it there"
	}
	if strings.TrimSuffix(filepath.Base(w.Program), ".exe") == "forgemind" {
		text += "; it is in " + filepath.Dir(w.Program)
	}
	return text
}

// faultHint adds the hint of the first file that could not be edited.
func faultHint(err error) error {
	var fault *hook.FileError
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
	return p.printJSON("hook_change", hookChange{dryRun, orEmpty(made.Agents), skipped, changes, notes})
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

func (p *program) tellHooks(made *hook.Plan, dryRun bool) {
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
	if len(made.Edits) == 0 && len(made.Faults) == 0 {
		p.printf("nothing to change\n")
	}
	for _, e := range made.Edits {
		name := p.shown(e.File)
		switch {
		case dryRun:
			p.verbatim([]byte(hook.Diff(filepath.ToSlash(name), e.Before, e.After)))
		default:
			p.printf("%s %s\n", changeOf(e), inline(name))
		}
	}
}

// A hookChange is the output of hook install and hook uninstall with --format json.
type hookChange struct {
	DryRun  bool          `json:"dry_run,omitzero"`
	Agents  []string      `json:"agents"`
	Skipped []hook.Skip   `json:"skipped"`
	Changes []changedFile `json:"changes"`
	Notes   []hook.Note   `json:"notes"`
}
