package main

import (
	"cmp"
	"errors"
	"fmt"
	iofs "io/fs"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) configCommand() *cli.Command {
	return &cli.Command{
		Name:  "config",
		Usage: "Show, set and explain settings",
		Subcommands: []*cli.Command{
			{
				Name:      "show",
				Usage:     "Show every setting and its source, or one setting",
				ArgsUsage: "[NAME]",
				Description: "Examples:\n" +
					"  forgemind config show RELEVANCE_CUTOFF\n" +
					"  forgemind config show agents.boss",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 1, p.showConfig),
			},
			{
				Name:      "set",
				Usage:     "Change a setting",
				ArgsUsage: "NAME VALUE",
				Description: "NAME is a setting of context-config.yaml, in any case, or the path of a member of config.json, with dots\n" +
					"or as a JSON pointer. VALUE is JSON if it parses as JSON, else a string. Comments and formatting stay.\n" +
					"\nExamples:\n" +
					"  forgemind config set RELEVANCE_CUTOFF 0.35\n" +
					"  forgemind config set compaction.policy memfas",
				Flags:  []cli.Flag{formatFlag(), dryRunFlag()},
				Action: takes(2, 2, p.setConfig),
			},
			{
				Name:      "explain",
				Usage:     "Explain a setting, or all of them",
				ArgsUsage: "[NAME]",
				Description: "Example:\n" +
					"  forgemind config explain KEEP_THRESHOLD",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 1, p.explainConfig),
			},
		},
	}
}

// A shownSetting is a setting with the value that holds.
type shownSetting struct {
	ID     string `json:"id"`
	Value  any    `json:"value,omitzero"`
	Count  *int   `json:"count,omitzero"` // of a list or an object, which is shown by its name alone
	Unit   string `json:"unit,omitzero"`
	Source string `json:"source"` // default, where no file says so; file
	File   string `json:"file,omitzero"`
	Line   int    `json:"line,omitzero"`
	Note   string `json:"note,omitzero"`
}

// Where a value comes from.
const (
	byDefault = "default"
	byFile    = "file"
)

func (p *program) showConfig(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	s, err := readSettings(tree)
	if err != nil {
		return err
	}
	for _, f := range s.knobs.Faults {
		p.note("forgemind: warning: %s:%d: %s", p.at(f.File), f.Line, inline(f.Msg))
	}
	if name := c.Args().First(); name != "" {
		return p.showOne(c, s, name)
	}
	list := s.all()
	for i, one := range list {
		if n, ok := size(one.Value); ok {
			list[i].Value, list[i].Count = nil, &n
		}
	}
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version  int            `json:"version"`
			Settings []shownSetting `json:"settings"`
		}{1, list})
	}
	var lines strings.Builder
	for _, one := range list {
		value := shownValue(one.Value)
		if one.Count != nil {
			value = count(*one.Count, "item")
		}
		fmt.Fprintf(&lines, "%-38s %-14s %-8s %s%s\n", inline(one.ID), short(value, 40), one.Unit, p.from(one), bracketed(notes(one.Note)))
	}
	p.printLines(lines.String())
	return nil
}

// showOne shows one setting with its whole value, or those below a path.
func (p *program) showOne(c *cli.Context, s *settings, name string) error {
	var list []shownSetting
	for _, one := range findSettings(name) {
		list = append(list, s.value(one))
	}
	if len(list) == 0 {
		if one, ok := s.member(pointerOf(name)); ok {
			one.ID = name
			list = append(list, one)
		}
	}
	switch {
	case len(list) == 0:
		return unknownSetting(c.Command.HelpName, name)
	case !wantsJSON(c):
		for _, one := range list {
			p.printf("%s  %s  %s%s\n", inline(one.ID), wholeValue(one.Value), strings.TrimSpace(one.Unit+"  "+p.from(one)), bracketed(notes(one.Note)))
		}
		return nil
	case len(list) == 1:
		return p.printJSON(struct {
			Version int `json:"version"`
			shownSetting
		}{1, list[0]})
	}
	return p.printJSON(struct {
		Version  int            `json:"version"`
		Settings []shownSetting `json:"settings"`
	}{1, list})
}

// from is where a value comes from.
func (p *program) from(s shownSetting) string {
	if s.Source == byDefault {
		return byDefault
	}
	return fmt.Sprintf("%s:%d", p.at(s.File), s.Line)
}

func notes(note string) []string {
	if note == "" {
		return nil
	}
	return []string{note}
}

// size is how many things a list or an object holds.
func size(v any) (int, bool) {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Slice, reflect.Map:
		return r.Len(), true
	}
	return 0, false
}

// shownValue is a value on a line: a list and an object by how much they hold.
func shownValue(v any) string {
	if n, ok := size(v); ok {
		return count(n, "item")
	}
	return wholeValue(v)
}

// wholeValue is a value as `config set` takes it.
func wholeValue(v any) string {
	if s, ok := v.(string); ok {
		return inline(s)
	}
	text, err := jsonedit.Value(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// settings are what the files of a tree say.
type settings struct {
	knobs     knobs.Set
	config    []configFile
	stateless bool // there is no State
}

// A configFile is a config.json that can be read.
type configFile struct {
	name string
	doc  *jsonedit.Doc
}

func readSettings(r fs.Reader) (*settings, error) {
	s := &settings{}
	for _, name := range []string{fs.Config, fs.QuaidConfig} {
		src, err := r.Read(name)
		if errors.Is(err, iofs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		doc, err := jsonedit.Parse(src)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if doc.Nodes[0].Kind == jsonedit.Object {
			s.config = append(s.config, configFile{name, doc})
		}
	}
	_, err := r.Read(fs.State)
	s.stateless = errors.Is(err, iofs.ErrNotExist)
	s.knobs, err = knobs.Read(r)
	return s, err
}

// all are the settings that mean something here, and the members of config.json
// that are others'.
func (s *settings) all() (list []shownSetting) {
	policy, _ := s.policy()
	known := map[string]bool{"$schema": true, "format": true}
	for _, one := range allSettings() {
		section, _, _ := strings.Cut(one.ID, ".")
		known[section] = true
		if v := s.value(one); v.Source == byFile || one.policies == nil || slices.Contains(one.policies, policy) {
			list = append(list, v)
		}
	}
	for _, f := range s.config {
		for c := range f.doc.Children(0) {
			if key := f.doc.Key(c); !known[key] {
				known[key] = true
				v, _ := s.member(f.doc.Pointer(c))
				v.ID, v.Note = key, "not forgemind's"
				list = append(list, v)
			}
		}
	}
	return list
}

// value is the one that holds for a setting.
func (s *settings) value(one setting) shownSetting {
	v := shownSetting{ID: one.ID, Value: one.Default, Unit: one.Unit, Source: byDefault}
	if one.knob {
		knob, _ := schema.FindKnob(one.ID)
		at, said := s.knobs.Said[one.ID]
		if v.Value = knobValue(s.knobs.Knobs, knob); said {
			v.Source, v.File, v.Line = byFile, at.File, at.Line
		}
		v.Note = s.overruled(one.ID, v.Value)
		return v
	}
	policy, compaction := s.policy()
	if m, ok := s.member(pointerOf(one.ID)); ok {
		v.Value, v.Source, v.File, v.Line = m.Value, byFile, m.File, m.Line
	}
	switch {
	case one.policies == nil:
	case !slices.Contains(one.policies, policy):
		v.Note = "means nothing under the policy " + policy
	default:
		threshold := strings.TrimPrefix(one.ID, "compaction.thresholds.")
		_, holds := s.knobs.Resolve(compaction)
		v.Value = thresholdOf(holds, threshold)
		if at, said := s.knobs.Said[triggerOf(threshold)]; said && v.Source == byDefault {
			v.Source, v.File, v.Line = byFile, at.File, at.Line
		}
	}
	if one.ID == "compaction.policy" && policy == schema.PolicyMemfas && s.stateless {
		v.Note = "there is no State, so sessions are kept short as by the policy quaid; 'forgemind compact --strategy relevance' curates"
	}
	return v
}

// isTrigger reports whether a knob is a threshold of the policy memfas.
func isTrigger(knob string) bool {
	return slices.ContainsFunc(thresholds(schema.Thresholds{}), func(t threshold) bool { return triggerOf(t.name) == knob })
}

// triggerOf is the knob that says what a threshold of the policy memfas is; "" for
// those of other policies.
func triggerOf(threshold string) string {
	switch threshold {
	case "curation":
		return "CURATION_TRIGGER_PCT"
	case "compaction":
		return "COMPACTION_TRIGGER_PCT"
	case "hard_limit":
		return "MAX_CONTEXT_PCT"
	}
	return ""
}

// overruled says what holds in place of a knob that is a trigger of the policy memfas:
// what config.json sets, or another policy's thresholds. It is "" where the knob holds.
func (s *settings) overruled(knob string, value any) string {
	policy, chosen := s.policy()
	ratio, ok := value.(float64)
	switch {
	case !ok:
		return ""
	case policy != schema.PolicyMemfas && isTrigger(knob):
		return "for --strategy relevance; else compaction.thresholds"
	case policy != schema.PolicyMemfas || chosen.Thresholds == nil:
		return ""
	}
	for _, one := range thresholds(*chosen.Thresholds) {
		if triggerOf(one.name) == knob && one.value != 0 && math.Abs(one.value-100*ratio) >= 1e-9 {
			return fmt.Sprintf("what config.json sets holds: %v percent", one.value)
		}
	}
	return ""
}

// policy is the compaction policy that is chosen, and the section of config.json.
func (s *settings) policy() (string, *schema.Compaction) {
	var compaction schema.Compaction
	if f, ok := s.section("/compaction"); ok && jsonedit.Decode(f.doc.Raw(f.doc.Find("/compaction")), &compaction) != nil {
		compaction = schema.Compaction{}
	}
	return cmp.Or(compaction.Policy, schema.PolicyForgemind), &compaction
}

// section is the file whose section of config.json holds for a pointer: the first
// that has it.
func (s *settings) section(pointer string) (configFile, bool) {
	name, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	for _, f := range s.config {
		if at := f.doc.Find("/" + name); at >= 0 && f.doc.Nodes[at].Kind != jsonedit.Null {
			return f, true
		}
	}
	return configFile{}, false
}

// member is what config.json says at a pointer; false where it says nothing, or
// null.
func (s *settings) member(pointer string) (v shownSetting, ok bool) {
	f, ok := s.section(pointer)
	if !ok || pointer == "" {
		return v, false
	}
	node := f.doc.Find(pointer)
	if node < 0 || jsonedit.Decode(f.doc.Raw(node), &v.Value) != nil || v.Value == nil {
		return v, false
	}
	v.Source, v.File = byFile, f.name
	v.Line, _, _ = jsonedit.Position(f.doc.Src, int(f.doc.Nodes[node].Start))
	return v, true
}
