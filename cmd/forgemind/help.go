package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
)

// helpWidth is the most columns that a line of help takes.
const helpWidth = 80

// The library prints help by a template. Ours is wrapped, which a template cannot do.
func init() {
	cli.HelpPrinter = func(w io.Writer, _ string, of any) {
		switch of := of.(type) {
		case *cli.App:
			io.WriteString(w, appHelp(of))
		case *cli.Command:
			io.WriteString(w, commandHelp(of))
		}
	}
}

// appHelp returns the help of the program: its commands by groups.
func appHelp(app *cli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s.\n\nUsage: %s\n", app.Name, app.Usage, app.UsageText)
	title := ""
	for _, command := range app.Commands {
		if command.Hidden {
			continue
		}
		if command.Category != title {
			title = command.Category
			fmt.Fprintf(&b, "\n%s:\n", title)
		}
		b.WriteString(helpRow(command.Name, command.Usage, 12))
	}
	b.WriteString("\nFlags:\n")
	for _, f := range app.Flags {
		b.WriteString(flagRow(f, 12))
	}
	b.WriteString("\n" + wrap(app.Description, 0))
	return b.String()
}

// commandHelp returns the help of a command.
func commandHelp(command *cli.Command) string {
	var b strings.Builder
	usage := command.HelpName
	var subcommands []*cli.Command
	for _, sub := range command.Subcommands {
		if !sub.Hidden {
			subcommands = append(subcommands, sub)
		}
	}
	switch {
	case command.ArgsUsage != "":
		usage += " " + command.ArgsUsage
	case len(subcommands) > 0:
		usage += " SUBCOMMAND"
	}
	fmt.Fprintf(&b, "%s\nUsage: %s [FLAGS]\n", wrap(command.Usage+".", 0), usage)
	if len(subcommands) > 0 {
		b.WriteString("\nSubcommands:\n")
		wide := 0
		for _, sub := range subcommands {
			wide = max(wide, len(sub.Name))
		}
		for _, sub := range subcommands {
			b.WriteString(helpRow(sub.Name, sub.Usage, wide))
		}
	}
	b.WriteString(descriptionHelp(command.Description))
	if len(command.Aliases) > 0 && command.Aliases[0] != anyWord {
		b.WriteString("\n" + wrap("Also called: "+strings.Join(command.Aliases, ", "), 0))
	}
	if len(command.Flags) > 0 {
		b.WriteString("\nFlags:\n")
		wide := 0
		for _, f := range command.Flags {
			wide = max(wide, min(utf8.RuneCountInString(flagNames(f)), 22))
		}
		for _, f := range command.Flags {
			b.WriteString(flagRow(f, wide))
		}
	}
	return b.String()
}

// descriptionHelp returns a command's description. Its examples are the last part, below a title.
func descriptionHelp(description string) string {
	var text, examples strings.Builder
	for _, part := range sections(description) {
		if part.kind == exampleSection {
			for _, line := range part.lines {
				examples.WriteString("  " + strings.TrimLeft(wrap(line, 6), " "))
			}
			continue
		}
		text.WriteString("\n" + wrap(strings.Join(part.lines, "\n"), 0))
	}
	if examples.Len() > 0 {
		text.WriteString("\nExamples:\n" + examples.String())
	}
	return text.String()
}

// flagNames returns a flag as it is typed, with a word for its value.
func flagNames(f cli.Flag) string {
	doc, ok := f.(cli.DocGenerationFlag)
	if !ok || !doc.TakesValue() {
		return "--" + f.Names()[0]
	}
	value := "VALUE"
	if _, rest, ok := strings.Cut(doc.GetUsage(), "`"); ok {
		value, _, _ = strings.Cut(rest, "`")
	} else if c, ok := f.(*choiceFlag); ok && len(strings.Join(c.choices, "|")) <= 16 {
		value = strings.Join(c.choices, "|")
	}
	return "--" + f.Names()[0] + " " + value
}

// flagRow returns the row of a flag in help.
func flagRow(f cli.Flag, wide int) string { return helpRow(flagNames(f), flagText(f), wide) }

// flagText returns the description of a flag, and its default.
func flagText(f cli.Flag) string {
	doc, ok := f.(cli.DocGenerationFlag)
	if !ok || !doc.TakesValue() {
		return usageOf(f)
	}
	usage := strings.ReplaceAll(doc.GetUsage(), "`", "")
	if value := strings.Trim(doc.GetDefaultText(), `"`); value != "" && value != "0" {
		usage += " (default: " + value + ")"
	}
	return usage
}

// usageOf returns the description of a flag without a value.
func usageOf(f cli.Flag) string {
	if doc, ok := f.(cli.DocGenerationFlag); ok {
		return doc.GetUsage()
	}
	return ""
}

// helpRow returns a row of a list in help: a name in wide columns, and its description.
func helpRow(name, does string, wide int) string {
	head := "  " + name
	text := wrap(does, wide+4)
	if utf8.RuneCountInString(name) > wide { // it has a line of its own
		return head + "\n" + text
	}
	return head + strings.Repeat(" ", wide+4-utf8.RuneCountInString(head)) + strings.TrimLeft(text, " ")
}

// wrap returns text in lines of at most helpWidth columns, each indented by indent blanks. A
// line of a table, which has two blanks between its columns, stays a line of its own, and so
// does an example.
func wrap(text string, indent int) string {
	w := wrapper{indent: indent}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		left, right := tableRow(line)
		switch {
		case line == "":
			w.end()
			w.WriteByte('\n')
		case left != "":
			w.end()
			w.WriteString(left)
			w.column = utf8.RuneCountInString(left)
			w.indent = w.column
			w.words(right)
			w.end()
			w.indent = indent
		case strings.HasPrefix(line, "'forgemind"):
			w.end()
			w.words(line)
		default:
			w.words(line)
		}
	}
	w.end()
	return w.String()
}

// tableRow splits a row of a table into its last column and the text before that, including
// the blanks. For another line the first part is "".
func tableRow(line string) (left, right string) {
	if i := strings.LastIndex(line, "  "); i >= 0 {
		return line[:i+2], line[i+2:]
	}
	return "", line
}

// A wrapper writes words in lines of at most helpWidth columns.
type wrapper struct {
	strings.Builder
	indent int // blanks before a line
	column int // end of the current line; 0 if there is none
}

// words writes the words of text.
func (w *wrapper) words(text string) {
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case w.column > w.indent && w.column+1+n <= helpWidth:
			w.WriteByte(' ')
			w.column++
		case w.column != w.indent || w.column == 0:
			w.end()
			w.WriteString(strings.Repeat(" ", w.indent))
			w.column = w.indent
		}
		w.WriteString(word)
		w.column += n
	}
}

// end ends the current line.
func (w *wrapper) end() {
	if w.column > 0 {
		w.WriteByte('\n')
	}
	w.column = 0
}
