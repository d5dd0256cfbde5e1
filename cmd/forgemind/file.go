package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) fileCommand() *cli.Command {
	return &cli.Command{
		Name:  "file",
		Usage: "Note and list the files that the session works on",
		Subcommands: []*cli.Command{{
			Name:      "add",
			Usage:     "Note that a file is being worked on",
			ArgsUsage: "PATH",
			Description: "The file becomes the one that was edited last. It need not exist yet.\n'forgemind file add auth/jwt.py " +
				"--function validate_jwt_token'",
			Flags:  hotFlags(&cli.StringFlag{Name: "function", Usage: "function that is being worked on (`NAME`)"}),
			Action: takes(1, 1, p.addFile),
		}, {
			Name:  "list",
			Usage: "List the files that calls of tools touched",
			Description: "Lists the files that the calls in the conversation read, edit or write: by the input of a tool, by a patch, or " +
				"by a command of a shell. A call that the user refused touches none.",
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "changed", Usage: "only files that were edited or written", DisableDefaultText: true},
				formatFlag(),
			},
			Action: takes(0, 0, p.listFiles),
		}},
	}
}

// A touchedFile is the output of `file add`: the file, and all current files.
type touchedFile struct {
	ID string `json:"id"` // its path
	schema.FileContext
}

func (p *program) addFile(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		path, err := p.inTree(c, c.Args().First(), tree.Root())
		if err == nil && path == "." {
			err = &usageError{fmt.Sprintf("%s: %q is the project directory, not a file in it", c.Command.HelpName, short(c.Args().First(), 80)), usageLine(c.Command)}
		}
		if err != nil {
			return err
		}
		files, out, err := operation.TouchFile(c.Context, tree, path, c.String("function"), c.String("agent"))
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "working on "+short(path, 400)+signed(files.CurrentFunction), item{"file", touchedFile{path, files}})
	})
}

// A listedFile is a file that calls of tools touched.
type listedFile struct {
	ID      string   `json:"id"`      // its path, as the calls name it
	Session string   `json:"session"` // of the messages; "" for none
	How     []string `json:"how"`     // read, edited, written, searched
	Calls   int      `json:"calls"`
}

// listFiles prints the files that the calls of tools in the conversation touched.
func (p *program) listFiles(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	messages, _, err := conversation(tree)
	if err != nil {
		return err
	}
	if messages, err = withLeft(tree, messages, true); err != nil {
		return err
	}
	list := filesOf(messages)
	if c.Bool("changed") {
		list = slices.DeleteFunc(list, func(f listedFile) bool {
			return !slices.Contains(f.How, extract.TouchEdited) && !slices.Contains(f.How, extract.TouchWritten)
		})
	}
	if wantsJSON(c) {
		return p.printList("files", list)
	}
	var lines strings.Builder
	for _, f := range list {
		lines.WriteString(short(f.ID, 400) + signed(strings.Join(f.How, ", "), count(f.Calls, "call")) + "\n")
	}
	p.printLines(lines.String())
	return nil
}

// filesOf returns the files that the calls in messages touch, in the order of the first call.
func filesOf(messages []schema.Message) []listedFile {
	list := []listedFile{}
	type key struct{ session, path string }
	at := map[key]int{}
	for i, m := range messages {
		if extract.CallRefused(messages[i:]) {
			continue
		}
		for _, t := range extract.Touched(m) {
			k := key{m.Session, t.Path}
			n, ok := at[k]
			if !ok {
				n = len(list)
				at[k] = n
				list = append(list, listedFile{ID: t.Path, Session: m.Session})
			}
			f := &list[n]
			f.Calls++
			if !slices.Contains(f.How, t.How) {
				f.How = append(f.How, t.How)
			}
		}
	}
	return list
}
