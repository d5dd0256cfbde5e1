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
		Usage:     "Handle an event of an agent (agents run this)",
		ArgsUsage: "EVENT",
		Description: "The agent's JSON is read from standard input and answered in the agent's form. A session starts with the\n" +
			"brief and the projects' CONTEXT.md, a prompt gets the removed messages that answer it, and a compaction\n" +
			"by the agent gets back what it lost. Messages, files and tokens are recorded. EVENT is the agent's name\n" +
			"for the event, or message-received, pre-response, post-response or session-end. The command never fails\n" +
			"and takes two seconds at most; 'forgemind doctor' reports what went wrong.\n" +
			"\nExample:\n" +
			"  forgemind hook run SessionStart --agent claude < event.json",
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
