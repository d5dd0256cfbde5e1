package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	iofs "io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) layerCommand() *cli.Command {
	return &cli.Command{
		Name:      "layer",
		Usage:     "Move the project to a layer",
		ArgsUsage: "N|NAME",
		Flags:     []cli.Flag{formatFlag(), dryRunFlag()},
		Action: takes(1, 1, func(c *cli.Context) error {
			n, err := number(c, "layer", layerCalled, 0, 5)
			if err != nil {
				return err
			}
			name, _ := schema.LayerName(n)
			return p.changeState(c, fmt.Sprintf("layer %d %s", n, name), func(src []byte) ([]byte, error) {
				return state.SetLayer(src, n)
			})
		}),
	}
}

// layerCalled returns the layer with a number or a name.
func layerCalled(s string) (int, error) {
	if n := slices.IndexFunc(schema.LayerNames(), func(name string) bool { return strings.EqualFold(name, s) }); n >= 0 {
		return n, nil
	}
	return strconv.Atoi(s)
}

func (p *program) clarityCommand() *cli.Command {
	return &cli.Command{
		Name:      "clarity",
		Usage:     "Set how clear the current layer is, in percent",
		ArgsUsage: "N",
		Flags:     []cli.Flag{formatFlag(), dryRunFlag()},
		Action: takes(1, 1, func(c *cli.Context) error {
			parse := func(s string) (float64, error) { return strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64) }
			n, err := number(c, "percentage", parse, 0, 100)
			if err != nil {
				return err
			}
			return p.changeState(c, fmt.Sprintf("clarity %v %%", n), func(src []byte) ([]byte, error) {
				return state.SetClarity(src, n)
			})
		}),
	}
}

func (p *program) setCommand() *cli.Command {
	return &cli.Command{
		Name:  "set",
		Usage: "Set values in the State by JSON pointer",
		Description: "VALUE is JSON if it parses as JSON, else a string. A missing member is added. Values that must agree are " +
			"set together.\n'forgemind set /project/status \"In Review\"'\n'forgemind set /context_window/used_tokens " +
			"70000 /context_window/other_tokens/messages 59500'",
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
			for _, pointer := range pointers {
				if known := likelyMember(pointer); known != "" {
					p.note("forgemind: warning: the State has no member %s; did you mean '%s'?", pointer, known)
				}
			}
			return p.changeState(c, "set "+strings.Join(pointers, ", "), func(src []byte) (out []byte, err error) {
				for i := 0; i < len(args) && err == nil; i += 2 {
					src, err = state.Set(src, args[i], args[i+1])
				}
				return src, err
			})
		}),
	}
}

// likelyMember returns the pointer of the member that was probably meant by an unknown one, such as
// /project/statuss. It returns "" if the member is known, or if no member is similar.
func likelyMember(pointer string) string {
	src, _ := schema.Source("current-context")
	var node struct {
		Properties map[string]struct {
			Properties map[string]json.RawMessage `json:"properties"`
		} `json:"properties"`
	}
	if json.Unmarshal(src, &node) != nil {
		return ""
	}
	names := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	top, known := node.Properties[names[0]]
	if !known {
		if best := text.Nearest(names[0], slices.Sorted(maps.Keys(node.Properties))); best != "" {
			return "/" + strings.Join(append([]string{best}, names[1:]...), "/")
		}
		return ""
	}
	if len(names) < 2 || len(top.Properties) == 0 || top.Properties[names[1]] != nil {
		return ""
	}
	if best := text.Nearest(names[1], slices.Sorted(maps.Keys(top.Properties))); best != "" {
		return "/" + names[0] + "/" + best
	}
	return ""
}

// changeState changes the State with edit.
func (p *program) changeState(c *cli.Context, headline string, edit func([]byte) ([]byte, error)) error {
	return p.change(c, headline, func(ctx context.Context, tree *engine.Tree) (engine.Outcome, error) {
		out, err := tree.ChangeState(ctx, edit)
		if errors.Is(err, iofs.ErrNotExist) {
			return out, state.ErrNoState
		}
		return out, err
	})
}

// readState reads the State of the command's tree.
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
	if _, err = jsonedit.Parse(src); err == nil { // limits the cost of a stranger's text
		err = jsonedit.Decode(src, &s)
	}
	if err != nil {
		return s, withHint(fmt.Errorf("%s: %w", fs.State, err), "'forgemind validate' reports the fault")
	}
	return s, nil
}
