package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

var update = flag.Bool("update", false, "write docs/commands.md anew")

const reference = "../../docs/commands.md"

// TestReferenceIsCurrent checks that docs/commands.md agrees with the command table.
func TestReferenceIsCurrent(t *testing.T) {
	t.Parallel()
	want := referencePage(started(testProgram(t)))
	if *update {
		if err := os.WriteFile(reference, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is out of date; 'go test ./cmd/forgemind -run TestReferenceIsCurrent -update' writes it anew", reference)
	}
}

// TestReferenceNamesEveryFormerName holds that each name that help does not list leads to a
// command that it lists.
func TestReferenceNamesEveryFormerName(t *testing.T) {
	t.Parallel()
	p := started(testProgram(t))
	app := p.app()
	former := p.formerNames(app)
	for _, command := range app.Commands {
		if command.Hidden && command.Name != "complete" && !slices.ContainsFunc(former, func(f [2]string) bool { return f[0] == command.Name }) {
			t.Errorf("'forgemind %s' is not in the table of former names", command.Name)
		}
	}
	for _, f := range former {
		path, _, ok := descend(app, strings.Fields(f[1]))
		if !ok || len(path) < 2 || slices.ContainsFunc(path, func(c *cli.Command) bool { return c.Hidden }) {
			t.Errorf("%s: there is no command %q in the help", f[0], f[1])
		}
	}
}

// formerNames returns the names that help does not list, and the commands that do the same.
func (p *program) formerNames(app *cli.App) (table [][2]string) {
	eachCommand(app, func(words []string, command *cli.Command) {
		name := strings.Join(words, " ")
		parent := strings.TrimSuffix(name, command.Name)
		for _, alias := range command.Aliases {
			if alias == anyWord {
				alias = command.ArgsUsage
			}
			table = append(table, [2]string{parent + alias, name})
		}
	})
	for _, f := range p.formerCommands() {
		table = append(table, [2]string{f.Name, f.now})
	}
	slices.SortFunc(table, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return table
}

// referencePage returns docs/commands.md.
func referencePage(p *program) string {
	app := p.app()
	var b strings.Builder
	b.WriteString("# Commands\n\n" +
		"This page is generated from the command table of `cmd/forgemind`. `forgemind help COMMAND` prints the same, `forgemind man COMMAND` a manual page.\n\n" +
		"Flags may stand before or after arguments. These are known to every command:\n\n" + flagBlock(app.Flags))
	title := ""
	for _, command := range app.Commands {
		if command.Hidden {
			continue
		}
		if command.Category != title {
			title = command.Category
			fmt.Fprintf(&b, "\n## %s\n", title)
		}
		referenceEntry(&b, []string{"forgemind", command.Name}, command)
	}
	b.WriteString("\n## Former names\n\nThese names keep working. Help does not list them.\n\n| former name | name |\n|---|---|\n")
	for _, f := range p.formerNames(app) {
		fmt.Fprintf(&b, "| `%s` | `%s` |\n", f[0], f[1])
	}
	return b.String()
}

// referenceEntry writes what the page says of a command and of its subcommands.
func referenceEntry(b *strings.Builder, words []string, command *cli.Command) {
	name := strings.Join(words, " ")
	fmt.Fprintf(b, "\n%s %s\n\n%s.\n", strings.Repeat("#", min(len(words)+1, 5)), name, markdown(command.Usage))
	if len(command.Subcommands) == 0 {
		fmt.Fprintf(b, "\n```text\n%s\n```\n", usages(name, command)[0])
	}
	for _, part := range sections(command.Description) {
		switch part.kind {
		case paragraphSection:
			fmt.Fprintf(b, "\n%s\n", markdown(part.lines[0]))
		case tableSection:
			fmt.Fprintf(b, "\n```text\n%s\n```\n", strings.Join(part.lines, "\n"))
		case exampleSection:
			fmt.Fprintf(b, "\n```console\n%s\n```\n", strings.Join(part.lines, "\n"))
		}
	}
	if len(command.Flags) > 0 {
		b.WriteString("\n" + flagBlock(command.Flags))
	}
	for _, sub := range command.Subcommands {
		if !sub.Hidden {
			referenceEntry(b, append(words[:len(words):len(words)], sub.Name), sub)
		}
	}
}

// flagBlock returns flags as help lists them.
func flagBlock(flags []cli.Flag) string {
	wide := 0
	for _, f := range flags {
		wide = max(wide, min(len(flagNames(f)), 22))
	}
	var b strings.Builder
	for _, f := range flags {
		b.WriteString(flagRow(f, wide))
	}
	return "```text\n" + b.String() + "```\n"
}

var quotedCommand = regexp.MustCompile(`'(forgemind [^']*)'`)

// markdown returns a text of the help as markdown.
func markdown(text string) string {
	text = strings.NewReplacer("<", `\<`, "*", `\*`, "_", `\_`, "|", `\|`).Replace(text)
	return quotedCommand.ReplaceAllStringFunc(text, func(s string) string {
		return "`" + strings.ReplaceAll(strings.Trim(s, "'"), `\`, "") + "`"
	})
}
