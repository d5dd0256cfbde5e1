package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
)

func (p *program) demoCommand() *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "Show an example in a temporary directory",
		Description: "Plays some work with a coding agent: a decision, what an agent is told of it, a pull request that would\n" +
			"damage it, and a compaction that is taken back. It changes nothing outside the temporary directory.\n" +
			"\nExample:\n" +
			"  forgemind demo --keep",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "keep", Usage: "keep the directory"},
		},
		Action: takes(0, 0, p.demo),
	}
}

func (p *program) demo(c *cli.Context) error {
	signal.Ignore(syscall.SIGPIPE) // else nothing would be removed where the output is closed
	base, err := os.MkdirTemp("", "forgemind-demo-")
	if err != nil {
		return err
	}
	defer func() {
		if !c.Bool("keep") {
			os.RemoveAll(base)
		}
	}()
	root, err := os.MkdirTemp(base, "project-")
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp(base, "home-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	p.printf("This makes a project in a temporary directory and plays some work with a coding\n" +
		"agent, in a few seconds. It changes nothing else on this machine.\n")
	d := &demonstration{p, c.Context, root, home}
	if err := d.play(); err != nil {
		return err
	}
	p.printf("\nIn a project of yours, begin with 'forgemind init', then 'forgemind hook install'.\n")
	if c.Bool("keep") {
		p.printf("The project is in %s\n", root)
	}
	return nil
}

// A demonstration plays some work in the directory root.
type demonstration struct {
	p    *program
	ctx  context.Context
	root string
	home string // stands for the user's, in which hooks keep a key
}

// play tells the story and runs its commands, as a person, an agent and CI would.
func (d *demonstration) play() error {
	const file = "internal/api/login.go"
	for _, step := range []struct {
		story string
		do    []func() error
	}{
		{"You record a decision, and the file that it is about.", []func() error{
			d.quiet("init"),
			d.command("decision", "add", "Use short-lived JWT access tokens", "--rationale", "Services verify them without a shared session store", "--file", file),
			d.git("init", "--quiet"), d.git("add", "--all"), d.git("commit", "--quiet", "--message", "Record a decision"),
		}},
		{"Later you ask an agent: \"Add a logout endpoint to " + file + "\".\nIts hook adds to your prompt:", []func() error{
			d.hook("UserPromptSubmit", `"prompt": "Add a logout endpoint to `+file+`"`),
			d.hook("PostToolUse", `"tool_name": "Edit", "tool_input": {"file_path": "`+file+`"}`),
		}},
		{"The conversation gets too long. The agent compacts it and forgets. Its hook\ntells it what it was doing, and what holds:", []func() error{
			d.hook("PreCompact", `"trigger": "auto"`),
			d.hook("SessionStart", `"source": "compact"`),
		}},
		{"A pull request changes the decision instead of superseding it. CI says no:", []func() error{
			d.pullRequest,
		}},
		{"forgemind can shorten a conversation itself, and take that back:", []func() error{
			d.converse, d.command("compact", "--now"), d.command("uncompact"),
		}},
	} {
		d.p.printf("\n%s\n", step.story)
		for _, do := range step.do {
			if err := do(); err != nil || d.p.out.failed != nil {
				return err // run tells of what could not be written
			}
		}
	}
	return nil
}

// run runs a command of forgemind in the demonstration's directory, without the user's
// settings.
func (d *demonstration) run(stdin string, stdout, stderr io.Writer, args ...string) (code int) {
	inner := *d.p
	inner.Stdin, inner.Stdout, inner.Stderr = strings.NewReader(stdin), stdout, stderr
	inner.Getwd = func() (string, error) { return d.root, nil }
	inner.Getenv = func(name string) string {
		switch name {
		case "HOME", "USERPROFILE":
			return d.home
		case "XDG_CONFIG_HOME", "XDG_STATE_HOME":
			return ""
		}
		return d.p.Getenv(name)
	}
	return inner.run(d.ctx, append([]string{"forgemind"}, args...))
}

// command returns a function that shows a command and what it prints.
func (d *demonstration) command(args ...string) func() error {
	return func() error {
		d.p.printf("    $ forgemind %s\n", quotedLine(args))
		if code := d.run("", indented{d.p.out}, indented{d.p.out}, args...); code != exitDone {
			return fmt.Errorf("the command %s ended with code %d", args[0], code)
		}
		return d.ctx.Err()
	}
}

// quiet returns a function that runs a command without showing it.
func (d *demonstration) quiet(args ...string) func() error {
	return func() error {
		var said bytes.Buffer
		if code := d.run("", &said, &said, args...); code != exitDone {
			return fmt.Errorf("the command %s ended with code %d: %s", args[0], code, said.Bytes())
		}
		return d.ctx.Err()
	}
}

// hook returns a function that answers an event of an agent, and shows what the agent is
// told.
func (d *demonstration) hook(event, payload string) func() error {
	return func() error {
		var told bytes.Buffer
		d.run(`{"session_id": "demo", `+payload+`}`, &told, io.Discard, "hook", "run", event, "--agent", "claude")
		var answer struct {
			Output struct {
				Context string `json:"additionalContext"`
			} `json:"hookSpecificOutput"`
		}
		if told.Len() > 0 {
			if err := json.Unmarshal(told.Bytes(), &answer); err != nil {
				return fmt.Errorf("the hook %s: %w", event, err)
			}
		}
		text := answer.Output.Context
		for _, rest := range []string{"## Stale or wrong\n", "## More\n"} {
			text, _, _ = strings.Cut(text, rest)
		}
		_, err := indented{d.p.out}.Write([]byte(text))
		return errors.Join(err, d.ctx.Err())
	}
}

// git returns a function that runs git in the directory; it does nothing where there is
// no git. The repository is the demonstration's own, and no setting of the user is used.
func (d *demonstration) git(args ...string) func() error {
	return func() error {
		if _, err := exec.LookPath("git"); err != nil {
			return nil
		}
		cmd := exec.CommandContext(d.ctx, "git", append([]string{"-c", "user.name=demo", "-c", "user.email=demo@localhost"}, args...)...)
		cmd.Dir = d.root
		cmd.Env = append(slices.DeleteFunc(os.Environ(), func(set string) bool { return strings.HasPrefix(set, "GIT_") }),
			"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
		return nil
	}
}

// pullRequest changes the decision in its file, shows what CI says to that, and takes the
// change back.
func (d *demonstration) pullRequest() error {
	if _, err := exec.LookPath("git"); err != nil {
		d.p.printf("    (left out: there is no git on the PATH)\n")
		return nil
	}
	if err := d.edit(fs.DecisionsDir, "short-lived ", ""); err != nil {
		return err
	}
	args := []string{"validate", "--against", "HEAD"}
	d.p.printf("    $ forgemind %s\n", quotedLine(args))
	if code := d.run("", indented{d.p.out}, indented{d.p.out}, args...); code != exitFindings {
		return fmt.Errorf("validate ended with code %d", code)
	}
	return d.git("checkout", "--quiet", "--", fs.Forgemind)()
}

// edit replaces a text in the files of a folder of the tree, as an editor does.
func (d *demonstration) edit(folder, old, new string) error {
	tree, err := fs.Open(d.root)
	if err != nil {
		return err
	}
	defer tree.Close()
	for name, err := range tree.Names(fs.Forgemind + "/" + folder) {
		if err == nil {
			err = tree.Update(d.ctx, name, func(src []byte) ([]byte, error) {
				return bytes.ReplaceAll(src, []byte(old), []byte(new)), nil
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// converse imports a conversation.
func (d *demonstration) converse() error {
	var talk strings.Builder
	for n := range 40 {
		fmt.Fprintf(&talk, `{"role": "assistant", "content": "Step %d: the handler now checks the signature of the token before it reads the body, and its test passes."}`+"\n", n+1)
	}
	var said bytes.Buffer
	if code := d.run(talk.String(), &said, &said, "message", "import", "-"); code != exitDone {
		return fmt.Errorf("the import ended with code %d: %s", code, said.Bytes())
	}
	return d.ctx.Err()
}

// quotedLine returns args as one would type them.
func quotedLine(args []string) string {
	words := slices.Clone(args)
	for i, word := range words {
		if strings.Contains(word, " ") {
			words[i] = `"` + word + `"`
		}
	}
	return strings.Join(words, " ")
}

// An indented writer indents what it writes by four spaces.
type indented struct {
	w io.Writer
}

func (i indented) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		if _, err := i.w.Write(append([]byte("    "), line...)); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}
