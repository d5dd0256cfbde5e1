package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/copies"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/hook"
)

func (p *program) hookRunCommand() *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "Handle an agent's event (agents run this)",
		ArgsUsage: "EVENT",
		Description: "Reads the agent's JSON from standard input and answers in the agent's format. The start of a session " +
			"gets the brief and the projects' CONTEXT.md, a prompt gets matching chunks from cold storage, and what " +
			"the agent's own compaction lost is restored. Messages, files and tokens are recorded. EVENT is the " +
			"agent's own name for the event, or one of message-received, pre-response, post-response, session-end. " +
			"The command never fails and takes two seconds at most; 'forgemind doctor' reports errors.\n'forgemind " +
			"hook run SessionStart --agent claude < event.json'",
		Flags:           []cli.Flag{&cli.StringFlag{Name: "agent", Usage: "whose event it is (`NAME`): " + strings.Join(append(hook.AgentIDs(), "memfas"), ", ")}},
		SkipFlagParsing: true, // a wrong command line must not end with 2, which agents treat as a veto
		Action:          p.hookRun,
	}
}

// hookRun never fails, because an agent may stop if its hook does.
func (p *program) hookRun(c *cli.Context) error {
	defer func() { _ = recover() }()
	call := hook.Call{Edge: engine.Edge{Now: p.Now, Random: p.Rand, Copies: copies.Home(p.Getenv)}} // hooks make no network requests
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

// hookCall parses the arguments of `hook run` and ignores unknown ones.
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
