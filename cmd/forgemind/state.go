package main

import (
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) layerCommand() *cli.Command {
	return &cli.Command{
		Name:        "layer",
		Usage:       "Set the project's layer",
		ArgsUsage:   "N|NAME",
		Description: "0 IDEA, 1 MODULE, 2 DOMAIN, 3 REQUIREMENT, 4 SPECIFICATION, 5 CODE.",
		Flags:       []cli.Flag{formatFlag(), dryRunFlag()},
		Action: takes(1, 1, func(c *cli.Context) error {
			parse := func(s string) (int, error) {
				if n := slices.Index(schema.LayerNames(), strings.ToUpper(s)); n >= 0 {
					return n, nil
				}
				return strconv.Atoi(s)
			}
			n, err := number(c, "layer", parse, 0, 5)
			if err != nil {
				return err
			}
			name, _ := schema.LayerName(n)
			return p.setMember(c, fmt.Sprintf("layer %d %s", n, name), records.Layer, n)
		}),
	}
}

func (p *program) clarityCommand() *cli.Command {
	return &cli.Command{
		Name:        "clarity",
		Usage:       "Set the layer's clarity in percent",
		ArgsUsage:   "N",
		Description: "N is from 0 to 100, with a percent sign or without.",
		Flags:       []cli.Flag{formatFlag(), dryRunFlag()},
		Action: takes(1, 1, func(c *cli.Context) error {
			parse := func(s string) (float64, error) {
				return strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(s, "%")), 64)
			}
			n, err := number(c, "percentage", parse, 0, 100)
			if err != nil {
				return err
			}
			return p.setMember(c, fmt.Sprintf("clarity %v %%", n), "clarity", n)
		}),
	}
}

func (p *program) setCommand() *cli.Command {
	return &cli.Command{
		Name:  "set",
		Usage: "Set values of the State",
		Description: "VALUE is JSON if it parses as JSON, else a string. A missing member is added. Set figures that must agree\n" +
			"in one command.\n" +
			"\nExamples:\n" +
			"  forgemind set /project/status \"In Review\"\n" +
			"  forgemind set /context_window/used_tokens 70000 \\\n" +
			"    /context_window/other_tokens/messages 70000",
		ArgsUsage: "POINTER VALUE [POINTER VALUE]…",
		Flags:     []cli.Flag{formatFlag(), dryRunFlag()},
		Action: takes(2, -1, func(c *cli.Context) error {
			args := c.Args().Slice()
			if len(args)%2 != 0 {
				return &usageError{fmt.Sprintf("%s: no VALUE for %q", c.Command.HelpName, short(args[len(args)-1], 60)), usageLine(c.Command)}
			}
			var pointers []string
			for i := 0; i < len(args); i += 2 {
				pointers = append(pointers, inline(args[i]))
			}
			var doubts []string // members that were added, where another one is meant, it seems
			err := p.changeState(c, "set "+strings.Join(pointers, ", "), func(src []byte) (out []byte, err error) {
				doubts = nil
				before := src
				for i := 0; i < len(args) && err == nil; i += 2 {
					if meant := likeMember(before, args[i]); meant != "" {
						doubts = append(doubts, fmt.Sprintf("%s is new; did you mean '%s'?", inline(args[i]), inline(meant)))
					}
					src, err = state.Set(src, args[i], args[i+1])
				}
				return src, err
			})
			for _, doubt := range doubts {
				if err == nil {
					p.note("forgemind: warning: %s", doubt)
				}
			}
			return err
		}),
	}
}

// likeMember returns the pointer of the member of a document that is most like pointer, if
// the document lacks pointer; "" where none is like it.
func likeMember(src []byte, pointer string) string {
	doc, err := jsonedit.Parse(src)
	at := strings.LastIndexByte(pointer, '/')
	if err != nil || at < 0 || doc.Find(pointer) >= 0 {
		return ""
	}
	var members []string
	if parent := doc.Find(pointer[:at]); parent >= 0 && doc.Nodes[parent].Kind == jsonedit.Object {
		for member := range doc.Children(parent) {
			if key := doc.Key(member); undigited(key) != undigited(pointer[at+1:]) { // key2 is meant, beside key1
				members = append(members, key)
			}
		}
	}
	if meant := nearest(pointer[at+1:], members); meant != "" {
		return pointer[:at+1] + strings.NewReplacer("~", "~0", "/", "~1").Replace(meant)
	}
	return ""
}

// undigited is text without its digits.
func undigited(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, text)
}

// setMember sets a member of the project.
func (p *program) setMember(c *cli.Context, headline, name string, value any) error {
	return p.change(c, headline, func(ctx context.Context, tree *engine.Tree) (engine.Outcome, error) {
		return tree.SetProject(ctx, map[string]any{name: value})
	})
}

// changeState changes the State by edit.
func (p *program) changeState(c *cli.Context, headline string, edit func([]byte) ([]byte, error)) error {
	return p.change(c, headline, func(ctx context.Context, tree *engine.Tree) (engine.Outcome, error) {
		out, err := tree.ChangeState(ctx, edit)
		if errors.Is(err, iofs.ErrNotExist) {
			return out, state.ErrNoState
		}
		return out, err
	})
}

// readState reads the State of the tree that a command works on.
func (p *program) readState(c *cli.Context) (schema.State, error) {
	var s schema.State
	tree, err := p.readTree(c)
	if err != nil {
		return s, err
	}
	defer tree.Close()
	src, err := tree.Read(fs.State)
	if errors.Is(err, iofs.ErrNotExist) {
		return s, state.ErrNoState
	}
	if err != nil {
		return s, err
	}
	if _, err = jsonedit.Parse(src); err == nil { // which bounds what a stranger's text may cost
		err = jsonedit.Decode(src, &s)
	}
	if err != nil {
		return s, withHint(fmt.Errorf("%s: %w", fs.State, err), "'forgemind validate' says what is wrong with it")
	}
	p.noteUnread(tree, fs.State)
	return s, nil
}
