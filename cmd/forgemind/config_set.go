package main

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/internal/yaml"
	"github.com/forgemind/forgemind/schema"
)

// A setReport is the output of `config set`: the value that was set and its place.
type setReport struct {
	DryRun  bool   `json:"dry_run,omitzero"`
	ID      string `json:"id"`
	From    any    `json:"from"`
	To      any    `json:"to"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Changed bool   `json:"changed"`
}

func (p *program) setConfig(c *cli.Context) error {
	name, value := c.Args().Get(0), c.Args().Get(1)
	one, known := findSetting(name)
	if !known && !settable(name) {
		return unknownSetting(c.Command.HelpName, name)
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		var before, after *settings
		out, err := tree.Do(c.Context, engine.Event{}, func(tx *fs.Tx) (err error) {
			if before, err = readSettings(tx); err != nil {
				return err
			}
			if one.knob {
				err = writeKnob(tx, one.ID, value)
			} else {
				err = writeMember(tx, before, pointerOf(name), value)
			}
			if err == nil {
				after, err = readSettings(tx)
			}
			return err
		})
		if err != nil {
			return p.refusedSetting(c, one.ID, err)
		}
		was, is := before.named(one, name), after.named(one, name)
		report := setReport{DryRun: c.Bool("dry-run"), ID: is.ID, From: was.Value, To: is.Value, File: is.File, Line: is.Line, Changed: len(out.Changes) > 0}
		if is.Note != "" {
			out.Notes = append(out.Notes, is.ID+": "+is.Note)
		}
		headline := fmt.Sprintf("set %s to %s", inline(report.ID), short(wholeValue(report.To), 80))
		if old := wholeValue(report.From); report.From != nil && old != wholeValue(report.To) {
			headline += ", which was " + short(old, 80)
		}
		return p.changed(c, out, headline, item{"setting_change", report})
	})
}

// settable reports whether an unknown name can be set: a JSON pointer, or a member of an object.
func settable(name string) bool {
	for _, object := range []string{"validation.severity.", "entities."} {
		if rest, ok := strings.CutPrefix(name, object); ok && rest != "" {
			return true
		}
	}
	return strings.HasPrefix(name, "/")
}

// named returns a setting, or the value at an unknown name, as a file has it.
func (s *settings) named(one setting, name string) shownSetting {
	v := shownSetting{ID: name}
	if one.ID != "" {
		v = s.value(one)
	}
	if m, ok := s.member(pointerOf(name)); ok && !one.knob {
		v.Value, v.File, v.Line = m.Value, m.File, m.Line
	}
	return v
}

// writeKnob sets a knob.
func writeKnob(tx *fs.Tx, name, value string) error {
	home, err := engine.Home(tx)
	if err != nil {
		return err
	}
	_, err = knobs.Write(tx, home, name, value)
	return err
}

// writeMember sets a member of the config.json whose section is in force, or of the first one that
// exists.
func writeMember(tx *fs.Tx, now *settings, pointer, value string) error {
	name := ""
	if f, ok := now.section(pointer); ok {
		name = f.name
	} else if len(now.config) > 0 {
		name = now.config[0].name
	}
	src := []byte("{}\n")
	if name == "" {
		home, err := engine.Home(tx)
		if err != nil {
			return err
		}
		name = home + "/config.json"
	}
	if old, err := tx.Read(name); err == nil {
		src = old
	} else if !errors.Is(err, iofs.ErrNotExist) {
		return err
	}
	text := []byte(value)
	if _, err := jsonedit.Parse(text); err != nil {
		if text, err = jsonedit.Value(value); err != nil {
			return err
		}
	}
	out, err := jsonedit.Set(src, pointer, text)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	tx.Write(name, out)
	return nil
}

// refusedSetting describes the values that a setting accepts.
func (p *program) refusedSetting(c *cli.Context, name string, err error) error {
	var wrong *schema.KnobError
	var clash *knobs.ClashError
	switch {
	case errors.As(err, &wrong):
		return &usageError{fmt.Sprintf("%s: %s: %s", c.Command.HelpName, name, inline(wrong.Msg)), fmt.Sprintf("'forgemind config explain %s' shows more", name)}
	case errors.As(err, &clash):
		return withHint(&unmetError{clash.Msg}, "nothing was changed; set the other one first")
	case is[*yaml.Error](err):
		return withHint(err, "nothing was changed; change it in an editor, 'forgemind validate' reports the fault")
	case is[*jsonedit.PointerError](err):
		return withHint(err, "nothing was changed; 'forgemind config show' has what there is")
	}
	return err
}
