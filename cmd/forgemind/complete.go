package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
)

// completeCommand returns the command that completion scripts run to list the ids and names of the
// tree.
func (p *program) completeCommand() *cli.Command {
	return &cli.Command{
		Name:      "complete",
		Hidden:    true,
		Usage:     "Print the ids and names that can follow words",
		ArgsUsage: "[WORDS…]",
		Description: "For completion scripts. WORDS are the words of a command line before the one that is completed, behind " +
			"'--'. Each line of the output is a word, a tab and a description. Nothing is written, and no error is printed.\n" +
			"'forgemind complete -- decision show'",
		Action: takes(0, -1, p.complete),
	}
}

// A candidate is a word that completion can insert.
type candidate struct {
	word string
	text string // description of the word; "" for none
}

// maxWord is the length of the longest word that is offered, in characters.
const maxWord = 200

// usable reports whether a shell can insert the word as it is. Words come from the tree. One with
// control characters, or that looks like a flag, is not offered.
func (c candidate) usable() bool {
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }
	return c.word != "" && c.word[0] != '-' && utf8.RuneCountInString(c.word) <= maxWord &&
		strings.TrimSpace(c.word) == c.word && strings.IndexFunc(c.word, unprintable) < 0
}

// complete prints the candidates for the word after the arguments. It prints nothing if it does not
// know any.
func (p *program) complete(c *cli.Context) error {
	p.err.w = io.Discard
	p.derivesNothing = true
	at, ok := placeOf(c.App, c.Args().Slice())
	if !ok {
		return nil
	}
	if at.tree != "" {
		if err := c.Set("tree", p.homeIn(at.tree)); err != nil {
			return nil
		}
	}
	seen := map[string]bool{}
	for _, found := range p.candidates(c, at.source) {
		if found.usable() && !seen[found.word] {
			seen[found.word] = true
			p.printf("%s\t%s\n", found.word, short(strings.Join(strings.Fields(found.text), " "), 100))
		}
	}
	return nil
}

// candidates returns the candidates of a source in the tree of c.
func (p *program) candidates(c *cli.Context, from source) []candidate {
	tree, err := p.readTree(c)
	if err != nil {
		return nil
	}
	defer tree.Close()
	return from(p, c, tree)
}

// homeIn returns a path with the user's home directory in place of a leading "~", which shells do
// not expand for completion.
func (p *program) homeIn(path string) string {
	rest, ok := strings.CutPrefix(path, "~")
	if home := p.Getenv("HOME"); ok && home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		return filepath.Join(home, rest)
	}
	return path
}

// A completedPlace describes the place of a word in a command line.
type completedPlace struct {
	source source // source of the candidates
	tree   string // value of --tree; "" if not given
}

// placeOf returns the place after words. It returns false if there is no source for it.
func placeOf(app *cli.App, words []string) (completedPlace, bool) {
	line := scan(app.Flags, app.Commands, words)
	path, rest, ok := descend(app, line.words)
	if !ok {
		return completedPlace{}, false
	}
	at := completedPlace{}
	for _, f := range line.flags {
		if flagName(f[0]) != "tree" {
			continue
		}
		if _, value, joined := strings.Cut(f[0], "="); joined {
			at.tree = value
		} else if len(f) > 1 {
			at.tree = f[1]
		}
	}
	if flag := openFlag(path, line, words); flag != nil {
		at.source = flagSource(path, flag)
	} else {
		at.source = argumentSource(path, len(rest))
	}
	return at, at.source != nil
}

// openFlag returns the flag in the last word if its value comes next.
func openFlag(path []*cli.Command, line commandLine, words []string) cli.Flag {
	if len(line.flags) == 0 {
		return nil
	}
	last := line.flags[len(line.flags)-1]
	if len(last) != 1 || last[0] != words[len(words)-1] || strings.Contains(last[0], "=") {
		return nil
	}
	for _, command := range slices.Backward(path) {
		for _, f := range command.Flags {
			if slices.Contains(f.Names(), flagName(last[0])) && takesValue(f) {
				return f
			}
		}
	}
	return nil
}
