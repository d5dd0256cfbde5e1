package main

import (
	"github.com/urfave/cli/v2"
)

// A group is a heading of the help and the commands below it.
type group struct {
	title    string
	commands []*cli.Command
}

// groups returns the command table in the order of help: first what people need every day, then the
// rest by task.
func (p *program) groups() []group {
	return []group{
		{"Every day", []*cli.Command{
			p.initCommand(), p.briefCommand(), p.searchCommand(), p.showCommand(), p.logCommand(), p.statusCommand(),
			p.decisionCommand(), p.goalCommand(), p.questionCommand(), p.noteCommand(), p.threadCommand(),
			p.sessionCommand(), p.compactCommand(), p.validateCommand(), p.watchCommand(), p.hookCommand(),
		}},
		{"Work", []*cli.Command{
			p.actionCommand(), p.constraintCommand(), p.governsCommand(), p.handoffCommand(), p.projectCommand(), p.condenseCommand(),
			p.pinCommand(), p.unpinCommand(), p.auditCommand(), p.importCommand(),
		}},
		{"Context window and memory", []*cli.Command{
			p.contextCommand(), p.messageCommand(), p.uncompactCommand(), p.recoverCommand(), p.coldCommand(), p.dropsCommand(),
			p.artifactCommand(), p.fileCommand(), p.entitiesCommand(), p.memoryCommand(), p.fragmentCommand(),
			p.healthCommand(), p.tuneCommand(), p.resetCommand(),
		}},
		{"Project", []*cli.Command{
			p.layerCommand(), p.clarityCommand(), p.setCommand(), p.snapshotCommand(), p.facilitatorCommand(), p.slashCommand(),
		}},
		{"Agents, editors and machines", []*cli.Command{
			p.mcpCommand(), p.lspCommand(), p.statuslineCommand(), p.dashboardCommand(), p.serviceCommand(), p.syncCommand(), p.migrateCommand(),
			p.exportCommand(), p.atticCommand(),
		}},
		{"Settings and help", []*cli.Command{
			p.configCommand(), p.triggerCommand(), p.schemaCommand(), p.explainCommand(), p.doctorCommand(), p.demoCommand(),
			p.completionCommand(), p.manCommand(), p.versionCommand(), p.completeCommand(),
		}},
	}
}

// commands returns every command: those of the groups, and those that have another name
// there.
func (p *program) commands() []*cli.Command {
	var all []*cli.Command
	for _, g := range p.groups() {
		for _, command := range g.commands {
			command.Category = g.title
			all = append(all, command)
		}
	}
	for _, f := range p.formerCommands() {
		all = append(all, f.Command)
	}
	return all
}

// A formerCommand is a command from the design documents that is now part of another one. Help does
// not list it.
type formerCommand struct {
	*cli.Command
	now string // the command that does the same
}

// formerCommands returns the commands that other commands contain.
func (p *program) formerCommands() []formerCommand {
	former := []formerCommand{
		{p.loadCommand(), "artifact load"}, {p.unloadCommand(), "artifact unload"}, {p.preloadCommand(), "artifact preload"},
		{p.artifactsCommand(), "artifact list"}, {p.rememberCommand(), "note add"}, {p.forgetCommand(), "note remove"},
		{renamed("assemble", p.contextCommand()), "context --prompt"}, {p.triggersCommand(), "trigger list"},
	}
	for _, f := range former {
		f.Hidden = true
	}
	return former
}

// renamed returns a command that does the same under another name.
func renamed(name string, command *cli.Command) *cli.Command {
	command.Name = name
	return command
}
