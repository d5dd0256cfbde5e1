package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/schema"
)

func (p *program) completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "Print a completion script for a shell",
		ArgsUsage: "bash|zsh|fish|powershell",
		Description: "Examples:\n" +
			"  source <(forgemind completion bash)\n" +
			"  source <(forgemind completion zsh)\n" +
			"  forgemind completion fish | source\n" +
			"  forgemind completion powershell | Out-String | Invoke-Expression",
		Action: takes(1, 1, p.completion),
	}
}

func (p *program) completion(c *cli.Context) error {
	shell := c.Args().First()
	scripts := map[string]func([]completionLevel) string{
		"bash": bashScript, "zsh": zshScript, "fish": fishScript, "powershell": powershellScript,
	}
	script, ok := scripts[shell]
	if !ok {
		return &usageError{
			fmt.Sprintf("completion: no shell %q", short(shell, 40)),
			didYouMean(shell, shells, "there are "+strings.Join(shells, ", ")),
		}
	}
	p.printf("%s", script(completionLevels(c.App)))
	return nil
}

var shells = []string{"bash", "zsh", "fish", "powershell"}

// A completionLevel is what can follow one command.
type completionLevel struct {
	path   string              // "forgemind decision add"
	words  []string            // subcommands, arguments that are words, flags
	values map[string][]string // "--format" → its choices
}

// completionLevels lists the program and each command and subcommand.
func completionLevels(app *cli.App) []completionLevel {
	var levels []completionLevel
	var global []string
	for _, f := range app.Flags {
		global = append(global, "--"+f.Names()[0])
	}
	var walk func(path string, flags []cli.Flag, subs []*cli.Command)
	walk = func(path string, flags []cli.Flag, subs []*cli.Command) {
		level := completionLevel{path: path, values: map[string][]string{}}
		level.words = append(names(subs), argumentWords(path)...)
		for _, f := range flags {
			name := "--" + f.Names()[0]
			if !slices.Contains(global, name) {
				level.words = append(level.words, name)
			}
			switch f := f.(type) {
			case *choiceFlag:
				level.values[name] = f.choices
			case *choicesFlag:
				level.values[name] = f.choices
			}
		}
		level.words = append(append(level.words, global...), "--help")
		levels = append(levels, level)
		for _, c := range subs {
			if !c.Hidden {
				walk(path+" "+c.Name, c.Flags, c.Subcommands)
			}
		}
	}
	walk(app.Name, app.Flags, app.Commands)
	return levels
}

// argumentWords are the arguments of a command that are known words.
func argumentWords(path string) []string {
	switch path {
	case "forgemind explain":
		return ruleNames()
	case "forgemind schema":
		return schema.Names()
	case "forgemind config show", "forgemind config set", "forgemind config explain":
		return settingNames()
	case "forgemind completion":
		return shells
	}
	return nil
}

// bashScript finds the command that the words so far name, and offers what can
// follow it; files where nothing known fits.
func bashScript(levels []completionLevel) string {
	var paths, words, values strings.Builder
	for _, l := range levels {
		fmt.Fprintf(&paths, "      '%s') path=$next ;;\n", l.path)
		fmt.Fprintf(&words, "    '%s') words='%s' ;;\n", l.path, strings.Join(l.words, " "))
		for _, flag := range slices.Sorted(maps.Keys(l.values)) {
			fmt.Fprintf(&values, "    '%s %s') words='%s' ;;\n", l.path, flag, strings.Join(l.values[flag], " "))
		}
	}
	return `# bash completion for forgemind
_forgemind() {
  local path=forgemind next words= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="$path ${COMP_WORDS[i]}"
    case "$next" in
` + paths.String() + `    esac
  done
  case "$path" in
` + words.String() + `  esac
  local flag=${COMP_WORDS[COMP_CWORD-1]} word=${COMP_WORDS[COMP_CWORD]}
  if [[ $word == = ]]; then # --flag=
    word=
  elif [[ $flag == = ]]; then # --flag=value
    flag=${COMP_WORDS[COMP_CWORD-2]}
  fi
  case "$path $flag" in
` + values.String() + `  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _forgemind forgemind
`
}

// zshScript is the bash script in zsh's own emulation of bash completion.
func zshScript(levels []completionLevel) string {
	return "#compdef forgemind\n" +
		"(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n" +
		"autoload -Uz bashcompinit && bashcompinit\n" + bashScript(levels)
}

func fishScript(levels []completionLevel) string {
	var b strings.Builder
	b.WriteString(`# fish completion for forgemind
function __forgemind_at --description 'Do the words so far name this command?'
    set -l words (commandline -opc)
    set -l path forgemind
    for word in $words[2..-1]
        if contains -- "$path $word" $__forgemind_paths
            set path "$path $word"
        end
    end
    test "$path" = "$argv"
end
set -g __forgemind_paths`)
	for _, l := range levels {
		fmt.Fprintf(&b, " '%s'", l.path)
	}
	b.WriteString("\n")
	for _, l := range levels {
		for _, word := range l.words {
			at := fmt.Sprintf("complete -c forgemind -n '__forgemind_at %s'", l.path)
			name, isFlag := strings.CutPrefix(word, "--")
			switch choices := l.values[word]; {
			case choices != nil:
				fmt.Fprintf(&b, "%s -l %s -x -a '%s'\n", at, name, strings.Join(choices, " "))
			case isFlag:
				fmt.Fprintf(&b, "%s -l %s\n", at, name)
			default:
				fmt.Fprintf(&b, "%s -f -a '%s'\n", at, word)
			}
		}
	}
	return b.String()
}

func powershellScript(levels []completionLevel) string {
	var words, values strings.Builder
	for _, l := range levels {
		fmt.Fprintf(&words, "    '%s' = '%s'\n", l.path, strings.Join(l.words, " "))
		for _, flag := range slices.Sorted(maps.Keys(l.values)) {
			fmt.Fprintf(&values, "    '%s %s' = '%s'\n", l.path, flag, strings.Join(l.values[flag], " "))
		}
	}
	return `# PowerShell completion for forgemind
Register-ArgumentCompleter -Native -CommandName forgemind -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @{
` + words.String() + `  }
  $values = @{
` + values.String() + `  }
  $path = 'forgemind'
  $flag = ''
  foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
    $word = "$element"
    if ($element.Extent.EndOffset -ge $cursorPosition) { break }
    if ($words.ContainsKey("$path $word")) { $path = "$path $word" }
    $flag = $word
  }
  $offered = if ($values.ContainsKey("$path $flag")) { $values["$path $flag"] } else { $words[$path] }
  $offered -split ' ' | Where-Object { $_ -like "$wordToComplete*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`
}
