package main

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"os/exec"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
)

func (p *program) updateIdeaCommand() *cli.Command {
	return &cli.Command{
		Name:  "idea",
		Usage: "Edit the file of the current idea",
		Description: "On a terminal $VISUAL or $EDITOR opens it. A program gives the new text with --file. The tokens of the artifact\n" +
			"are counted again.\n\n" +
			"Example:\n" +
			"  forgemind facilitator update idea --file new.md",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "file", Usage: "the new text is in `FILE`; '-' is standard input"},
			formatFlag(), dryRunFlag(),
		},
		Action: takes(0, 0, p.updateIdea),
	}
}

func (p *program) updateIdea(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		if err := available(tree, "update idea"); err != nil {
			return err
		}
		idea, err := engine.Idea(tree, p.Now())
		if err != nil {
			return err
		}
		draft, err := p.newIdea(c, idea.Artifact.Path, idea.Content)
		if err != nil {
			return err
		}
		defer draft.discard()
		if len(bytes.TrimSpace(draft.text)) == 0 {
			return &unmetError{"the new text is empty; the idea stays as it is"}
		}
		if err := fitIdea(draft.text); err != nil {
			return draft.keep(err)
		}
		out, err := tree.UpdateIdea(c.Context, idea.Content, draft.text)
		if err != nil {
			return draft.keep(err)
		}
		if tree.DryRun && draft.dir != "" {
			draft.dir = ""
			p.note("what you wrote is in %s", draft.file)
		}
		if wantsJSON(c) {
			return p.printJSON(outcomeJSON(out, c.Bool("dry-run")))
		}
		p.outcome(out, "updated "+inline(idea.Artifact.ID), c.Bool("dry-run"))
		return nil
	})
}

// A draft is a new text, and the directory it was written in if an editor was
// used.
type draft struct {
	text []byte
	dir  string
	file string
}

// keep leaves what was written where it is, after err, and says where.
func (d *draft) keep(err error) error {
	if d.dir == "" {
		return err
	}
	d.dir = ""
	return withHint(err, "what you wrote is in %s", d.file)
}

func (d *draft) discard() {
	if d.dir != "" {
		os.RemoveAll(d.dir)
	}
}

// newIdea is the text that the idea's file is to hold.
func (p *program) newIdea(c *cli.Context, name string, old []byte) (draft, error) {
	switch {
	case c.IsSet("file"):
		text, err := p.readInput(c.String("file"))
		return draft{text: text}, err
	case !isTerminal(p.Stdin):
		return draft{}, &usageError{c.Command.HelpName + ": --file missing; there is no terminal for an editor", usageLine(c.Command)}
	}
	return p.inEditor(name, old)
}

// maxIdea bounds the text of an idea, in bytes.
const maxIdea = 8 << 20

// fitIdea refuses a text that is none.
func fitIdea(text []byte) error {
	switch {
	case bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text):
		return &unmetError{"the new text is not UTF-8, or holds NUL; the idea stays as it is"}
	case len(text) > maxIdea:
		return &unmetError{fmt.Sprintf("the new text is longer than %d bytes; the idea stays as it is", maxIdea)}
	}
	return nil
}

// inEditor lets a person edit a copy of text in an editor.
func (p *program) inEditor(name string, text []byte) (draft, error) {
	editor := p.Getenv("VISUAL")
	if editor == "" {
		editor = p.Getenv("EDITOR")
	}
	words := strings.Fields(editor)
	if len(words) == 0 {
		return draft{}, withHint(errors.New("no editor: neither VISUAL nor EDITOR is set"), "--file FILE gives the new text without one")
	}
	dir, err := os.MkdirTemp("", "forgemind-edit-")
	if err != nil {
		return draft{}, err
	}
	d := draft{dir: dir}
	if d.file, err = copyInto(dir, path.Ext(name), text); err != nil {
		d.discard()
		return draft{}, err
	}
	command := exec.Command(words[0], append(words[1:], d.file)...)
	command.Stdin, command.Stdout, command.Stderr = p.Stdin, p.Stdout, p.Stderr
	if err := command.Run(); err != nil {
		return draft{}, d.keep(fmt.Errorf("editor %s: %w", short(editor, 80), err))
	}
	if d.text, err = p.readInput(d.file); errors.Is(err, iofs.ErrNotExist) {
		d.text, err = nil, nil // the editor removed it: an empty text
	}
	if err != nil {
		return draft{}, d.keep(err)
	}
	return d, nil
}

// copyInto makes a file with text in a directory of our own.
func copyInto(dir, ext string, text []byte) (string, error) {
	f, err := os.CreateTemp(dir, "text-*"+ext)
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	return f.Name(), errors.Join(err, f.Close())
}
