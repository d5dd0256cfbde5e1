package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/condense"
)

// argumentSources maps commands to the sources of their arguments, by position.
var argumentSources = map[string][]source{
	"decision show":      {(*program).knownDecisions},
	"decision supersede": {(*program).currentDecisions},
	"goal update":        {(*program).openGoals},
	"goal done":          {(*program).openGoals},
	"question answer":    {(*program).knownQuestions},
	"action done":        {(*program).knownActions},
	"action claim":       {(*program).knownActions},
	"action release":     {(*program).knownActions},
	"constraint remove":  {(*program).knownConstraints},
	"note remove":        {(*program).knownNotes},
	"forget":             {(*program).knownNotes},
	"thread show":        {threadsIn()},
	"thread claim":       {threadsIn(condense.Active, condense.Resolved)},
	"thread release":     {threadsIn(condense.Active, condense.Resolved)},
	"thread post":        {threadsIn(condense.Active, condense.Resolved)},
	"thread resolve":     {threadsIn(condense.Active)},
	"thread archive":     {threadsIn(condense.Active, condense.Resolved)},
	"condense":           {threadsIn(condense.Active, condense.Resolved)},
	"pin":                {(*program).knownCondensations},
	"unpin":              {(*program).knownCondensations},
	"session show":       {(*program).knownSessions},
	"session restore":    {(*program).knownSessions},
	"snapshot show":      {(*program).knownSnapshots},
	"snapshot diff":      {(*program).knownSnapshots, (*program).knownSnapshots},
	"handoff archive":    {(*program).openHandoffs},
	"project set":        {(*program).knownProjects},
	"project refresh":    {(*program).knownProjects},
	"fragment show":      {(*program).knownFragments},
	"cold show":          {(*program).knownChunks},
	"memory show":        {(*program).noteFiles},
	"memory revise":      {(*program).memoryEntries},
	"memory remove":      {(*program).memoryEntries},
	"artifact load":      {(*program).knownArtifacts},
	"artifact unload":    {(*program).loadedArtifacts},
	"load":               {(*program).knownArtifacts},
	"unload":             {(*program).loadedArtifacts},
	"trigger fire":       {(*program).knownTriggers},
}

// flagSources maps flags to the sources of their values. A flag of one command has the command
// before its name and takes precedence.
var flagSources = map[string]source{
	"--project":          (*program).knownProjects,
	"--channel":          (*program).knownChannels,
	"--session":          (*program).knownSessions,
	"--agent":            (*program).knownAgents,
	"--maker":            (*program).knownAgents,
	"--by":               (*program).knownNames,
	"--assign":           (*program).knownAgents,
	"--supersedes":       (*program).currentDecisions,
	"--parent":           (*program).openGoals,
	"--blocks":           (*program).knownActions,
	"--blocked-by":       (*program).blockers,
	"handoff add --from": (*program).knownAgents,
	"handoff add --to":   (*program).knownAgents,
	"handoff list --to":  (*program).knownAgents,
	"drops --explain":    (*program).knownChunks,
	"recover --chunk-id": (*program).knownChunks,
	"condense --adopt":   (*program).knownCondensations,
	"hook run --agent":   nil, // a program and not a person or agent of the tree
}

// argumentSource returns the source of the argument at position n of the command at the end
// of path, nil if there is none.
func argumentSource(path []*cli.Command, n int) source {
	command := path[len(path)-1]
	if i := subcommandCalled(command, anyWord); i >= 0 {
		command = command.Subcommands[i]
		path = append(path, command)
	}
	all := argumentSources[pathName(path)]
	if len(all) > 0 && strings.HasSuffix(command.ArgsUsage, "…") {
		n = min(n, len(all)-1)
	}
	if n >= len(all) {
		return nil
	}
	return all[n]
}

// flagSource returns the source of the value of a flag of the command at the end of path,
// nil if there is none.
func flagSource(path []*cli.Command, f cli.Flag) source {
	if _, fixed := f.(*choiceFlag); fixed || !takesValue(f) {
		return nil
	}
	name := "--" + f.Names()[0]
	if own, ok := flagSources[pathName(path)+" "+name]; ok {
		return own
	}
	return flagSources[name]
}

// pathName returns the names of the commands behind the program: "decision add".
func pathName(path []*cli.Command) string {
	var words []string
	for _, command := range path[1:] {
		words = append(words, command.Name)
	}
	return strings.Join(words, " ")
}

// subcommandCalled returns the index of the subcommand with that name or alias, or -1.
func subcommandCalled(command *cli.Command, name string) int {
	return slices.IndexFunc(command.Subcommands, func(c *cli.Command) bool { return c.HasName(name) })
}
