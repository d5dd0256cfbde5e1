package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/hook"
)

func (p *program) hookRunCommand() *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "do what is due at an agent's event; agents run it, see 'hook install'",
		ArgsUsage: "EVENT",
		Description: "The agent's JSON is read from standard input, and answered in its form: a session begins with the brief and the\n" +
			"projects' CONTEXT.md, a prompt gets what cold storage has of it, what a compaction of the agent's own lost comes\n" +
			"back; messages, files and tokens are recorded. EVENT is the agent's own name for it, or one of message-received,\n" +
			"pre-response, post-response, session-end. It never fails and takes two seconds at most; 'forgemind doctor' tells\n" +
			"what went wrong: 'forgemind hook run SessionStart --agent claude < event.json'.",
		Flags:           []cli.Flag{&cli.StringFlag{Name: "agent", Usage: "whose event it is (`NAME`): " + strings.Join(append(hook.AgentIDs(), "memfas"), ", ")}},
		SkipFlagParsing: true, // a wrong command line must not end with 2: agents take that for a veto
		Action:          p.hookRun,
	}
}

// hookRun never fails: an agent whose hook does may stop.
func (p *program) hookRun(c *cli.Context) error {
	defer func() { _ = recover() }()
	call := hook.Call{Within: p.HookLimit, Edge: engine.Edge{Now: p.Now, Random: p.Rand}} // nobody is asked over a network
	args := c.Args().Slice()
	if slices.ContainsFunc(args, func(arg string) bool { return isHelp(flagName(arg)) }) {
		return cli.ShowSubcommandHelp(c)
	}
	call.Agent, call.Event = hookCall(args)
	dir, err := p.abs(".")
	if err != nil {
		return nil
	}
	call.Dir = dir
	if c.IsSet("tree") {
		if call.Tree, err = p.root(c); err != nil {
			return nil
		}
	}
	if !isTerminal(p.Stdin) {
		call.Payload = p.Stdin
	}
	if w, err := p.hookWorld(c, hook.User, false); err == nil {
		call.State = w.State
	}
	if call.Out = p.answerOutput(); isTerminal(p.Stdout) {
		call.Out = newSafeWriter(call.Out)
	}
	hook.Run(c.Context, call)
	return nil
}

// hookCall takes the arguments of `hook run` apart. What it does not know is passed
// over.
func hookCall(args []string) (agent, event string) {
	agent = "claude"
	for i := 0; i < len(args); i++ {
		name := flagName(args[i])
		_, value, inOne := strings.Cut(args[i], "=")
		switch {
		case name == "agent" && inOne:
			agent = value
		case name == "agent" && i+1 < len(args):
			i++
			agent = args[i]
		case name == "" && args[i] != "--" && event == "":
			event = args[i]
		}
	}
	return strings.ToLower(agent), event
}
