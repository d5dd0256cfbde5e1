package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
)

// The library has one printer of help for the process.
func init() { cli.HelpPrinter = printHelp }

// helpWidth is the width of help, in characters.
const helpWidth = 80

// helpGroups are the commands that help shows with what they do, in its order.
var helpGroups = []struct{ name, commands string }{
	{"Everyday", "init brief decision goal question action remember fragments status validate"},
	{"Project and discussion", "constraint governs projects layer clarity thread condense handoff"},
	{"Conversation", "context assemble sessions message compact recover cold-storage artifacts"},
	{"Agents", "hook mcp statusline dashboard"},
}

// moreGroups are the other commands, which help names only.
var moreGroups = []struct{ name, commands string }{
	{"notes", "memory forget file entities"},
	{"window", "load unload preload health drops tune uncompact history reset"},
	{"upkeep", "watch service trigger triggers audit doctor migrate"},
	{"settings", "config set schema explain completion version"},
	{"others", "facilitator slash demo"},
}

// printHelp prints the help of the program or of a command.
func printHelp(w io.Writer, _ string, data any) {
	h := &helpText{}
	switch about := data.(type) {
	case *cli.App:
		h.program(about)
	case *cli.Command:
		h.command(about)
	}
	io.WriteString(w, h.String())
}

// A helpText is help that is being written.
type helpText struct{ strings.Builder }

func (h *helpText) program(app *cli.App) {
	fmt.Fprintf(h, "%s.\n\nUsage: %s\n", app.Usage, app.UsageText)
	for _, group := range helpGroups {
		var lines []helpLine
		for _, name := range strings.Fields(group.commands) {
			lines = append(lines, helpLine{name, app.Command(name).Usage})
		}
		h.table(group.name, lines)
	}
	var more []helpLine
	for _, group := range moreGroups {
		more = append(more, helpLine{group.name, group.commands})
	}
	h.table("More", more)
	h.table("Flags", flagLines(app.Flags))
	fmt.Fprintf(h, "\n%s\n", app.Description)
}

func (h *helpText) command(c *cli.Command) {
	fmt.Fprintf(h, "%s.\n\nUsage: %s\n", c.Usage, usageOf(c))
	if c.Description != "" {
		h.WriteString("\n")
		h.text(c.Description)
	}
	var subs []helpLine
	for _, sub := range c.Subcommands {
		if !sub.Hidden {
			subs = append(subs, helpLine{strings.TrimSpace(sub.Name + " " + sub.ArgsUsage), sub.Usage})
		}
	}
	h.table("Commands", subs)
	h.table("Flags", flagLines(c.Flags))
	h.WriteString("\nEvery command takes --tree, --verbose and --no-color: see 'forgemind help'.\n")
}

// usageOf returns how a command is called.
func usageOf(c *cli.Command) string {
	words := []string{c.HelpName}
	if len(c.Subcommands) > 0 {
		words = append(words, "COMMAND")
	}
	if c.ArgsUsage != "" {
		words = append(words, c.ArgsUsage)
	}
	if len(c.Subcommands) > 0 || len(flagLines(c.Flags)) > 0 {
		words = append(words, "[FLAGS]")
	}
	return strings.Join(words, " ")
}

// A helpLine is one of a table: a name, and what is said of it.
type helpLine struct{ name, about string }

// table writes lines under a title; nothing if there are none.
func (h *helpText) table(title string, lines []helpLine) {
	if len(lines) == 0 {
		return
	}
	const widest = 26
	column := 0
	for _, l := range lines {
		if n := utf8.RuneCountInString(l.name); n <= widest {
			column = max(column, n)
		}
	}
	fmt.Fprintf(h, "\n%s\n", title)
	for _, l := range lines {
		about := wrap(l.about, helpWidth-column-4)
		if utf8.RuneCountInString(l.name) > column {
			fmt.Fprintf(h, "  %s\n", l.name)
		} else {
			fmt.Fprintf(h, "  %-*s  %s\n", column, l.name, about[0])
			about = about[1:]
		}
		for _, line := range about {
			fmt.Fprintf(h, "  %*s  %s\n", column, "", line)
		}
	}
}

// text writes paragraphs. A line that begins with a space is written as it is.
func (h *helpText) text(s string) {
	var paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			h.WriteString(strings.Join(wrap(strings.Join(paragraph, " "), helpWidth), "\n") + "\n")
		}
		paragraph = nil
	}
	for line := range strings.SplitSeq(s, "\n") {
		if line != "" && line[0] != ' ' {
			paragraph = append(paragraph, line)
			continue
		}
		end()
		h.row(line)
	}
	end()
}

// row writes a line that is kept as it is. One of a table, whose columns stand two spaces
// apart, is wrapped in its last column.
func (h *helpText) row(line string) {
	at := strings.LastIndex(line, "  ") + 2
	if utf8.RuneCountInString(line) <= helpWidth || strings.TrimSpace(line[:at]) == "" {
		h.WriteString(line + "\n")
		return
	}
	h.WriteString(line[:at])
	h.WriteString(strings.Join(wrap(line[at:], helpWidth-at), fmt.Sprintf("\n%*s", at, "")) + "\n")
}

// wrap breaks s between words into lines of at most width characters; it returns at least
// one line. A longer word has a line of its own.
func wrap(s string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}

// flagLines returns the lines of flags in their order, without --help, which every command
// has.
func flagLines(flags []cli.Flag) []helpLine {
	var lines []helpLine
	for _, f := range flags {
		if name := f.Names()[0]; !isHelp(name) {
			lines = append(lines, helpLine{flagUse(f, name), flagAbout(f)})
		}
	}
	return lines
}

// flagUse returns a flag as it is given, with the word in backquotes of what is said of it
// as its value.
func flagUse(f cli.Flag, name string) string {
	use := "--" + name
	if all := f.Names(); len(all) > 1 {
		use = "-" + all[1] + ", " + use
	}
	if !takesValue(f) {
		return use
	}
	value := strings.ToUpper(name)
	if parts := strings.Split(f.(cli.DocGenerationFlag).GetUsage(), "`"); len(parts) == 3 {
		value = parts[1]
	}
	return use + " " + value
}

// flagAbout returns what is said of a flag, with its default and whether it may be
// repeated.
func flagAbout(f cli.Flag) string {
	doc, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return ""
	}
	about := doc.GetUsage()
	if parts := strings.Split(about, "`"); len(parts) == 3 {
		about = strings.NewReplacer(" (`"+parts[1]+"`)", "", "(`"+parts[1]+"`, ", "(", "`", "").Replace(about) // the value is named in flagUse
	}
	var more []string
	if mayRepeat(f) {
		more = append(more, "may be repeated")
	}
	if value := strings.Trim(doc.GetDefaultText(), `"`); doc.TakesValue() && !slices.Contains([]string{"", "0", "[]"}, value) {
		more = append(more, "default: "+value)
	}
	if len(more) > 0 {
		about += " (" + strings.Join(more, "; ") + ")"
	}
	return about
}
