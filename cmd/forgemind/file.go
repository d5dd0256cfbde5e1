package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) fileCommand() *cli.Command {
	return &cli.Command{
		Name:  "file",
		Usage: "Add a file that the session works on",
		Subcommands: []*cli.Command{{
			Name:      "add",
			Usage:     "Add a file that is being worked on",
			ArgsUsage: "PATH",
			Description: "The file becomes the one that was edited last. It need not exist yet.\n" +
				"\nExample:\n" +
				"  forgemind file add auth/jwt.py --function validate_jwt_token",
			Flags:  hotFlags(&cli.StringFlag{Name: "function", Usage: "the function that is being worked on (`NAME`)"}),
			Action: takes(1, 1, p.addFile),
		}},
	}
}

// A touchedFile is what `file add` prints: the file, and all that is worked on.
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
		files, out, err := tree.TouchFile(c.Context, path, c.String("function"), c.String("agent"))
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "working on "+short(path, 400)+signed(files.CurrentFunction), touchedFile{path, files})
	})
}
