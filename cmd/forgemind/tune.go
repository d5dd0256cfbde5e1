package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) tuneCommand() *cli.Command {
	return &cli.Command{
		Name:  "tune",
		Usage: "Compare the compaction settings with the logs",
		Description: "A dropped message that had to be recovered was a mistake; the settings of context-config.yaml decide how\n" +
			"often that happens. Nothing is changed: 'forgemind config set' does that.\n" +
			"\nExamples:\n" +
			"  forgemind tune --since 7d\n" +
			"  forgemind tune --replay --set RELEVANCE_CUTOFF=0.2\n" +
			"  forgemind tune --format svg > drops.svg",
		Flags: []cli.Flag{
			sinceFlag(),
			&cli.StringFlag{Name: "session", Usage: "only the drops and recoveries of this session (`ID`)"},
			&cli.BoolFlag{Name: "replay", Usage: "judge past drops again, by the knobs as they are now"},
			&cli.StringSliceFlag{Name: "set", Usage: "with --replay: by another value of a knob (`KNOB=VALUE`)"},
			choice("format", "how to print", "text", "json", "svg"),
		},
		Action: takes(0, 0, p.tune),
	}
}

func (p *program) tune(c *cli.Context) error {
	replay := c.Bool("replay")
	switch {
	case c.IsSet("set") && !replay:
		return &usageError{c.Command.HelpName + ": --set belongs to --replay; nothing is changed by it", usageLine(c.Command)}
	case replay && c.String("format") == "svg":
		return &usageError{c.Command.HelpName + ": a replay is printed as text or json", usageLine(c.Command)}
	}
	since, err := p.since(c)
	if err != nil {
		return err
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	k, err := health.Knobs(tree)
	if err != nil {
		return err
	}
	logs, err := p.readLogs(tree, since)
	if err != nil {
		return err
	}
	if c.IsSet("session") {
		logs = logs.OfSession(c.String("session"))
	}
	if replay {
		return p.replay(c, tree, logs, k)
	}
	t := health.Tune(logs, k)
	if c.IsSet("session") {
		t.Notes = append(t.Notes, "compactions, curations and the window are of no session, and are left out")
	}
	switch c.String("format") {
	case "json":
		return p.printJSON(struct {
			Version int `json:"version"`
			health.Tuning
		}{1, t})
	case "svg":
		return p.verbatim(t.SVG())
	}
	p.printTuning(t, ofPart(c))
	return nil
}

// ofPart says whether only a part of the logs is asked for.
func ofPart(c *cli.Context) bool { return c.IsSet("since") || c.IsSet("session") }

// readLogs reads the logs from a time on, and tells of what is no line of them.
func (p *program) readLogs(tree *fs.Tree, since time.Time) (health.Logs, error) {
	logs, err := health.ReadLogs(tree, since)
	p.tellLogFaults(logs.Faults)
	return logs, err
}

// tellLogFaults tells of lines of logs that were passed over.
func (p *program) tellLogFaults(faults []health.LogFault) {
	const most = 5
	for i, f := range faults {
		if i == most {
			p.note("forgemind: warning: and %s more; 'forgemind validate' shows them", count(len(faults)-most, "line"))
			return
		}
		where := inline(p.at(f.Name))
		if f.Line > 0 {
			where = fmt.Sprintf("%s:%d", where, f.Line)
		}
		p.note("forgemind: warning: %s: passed over: %s", where, short(f.Msg, 200))
	}
}

// scoring are the knobs that decide about a drop whose score is known.
func scoring(k schema.Knobs) []string {
	var names []string
	for field := range strings.FieldsSeq(k.Deciding()) {
		name, _, _ := strings.Cut(field, "=")
		names = append(names, name)
	}
	return append(names, "SUMMARIZE_MEDIUM_CHUNKS")
}

// otherKnobs are the tree's knobs with what --set says.
func otherKnobs(c *cli.Context, k schema.Knobs) (schema.Knobs, error) {
	wrong := func(hint, format string, args ...any) (schema.Knobs, error) {
		return k, &usageError{c.Command.HelpName + ": " + fmt.Sprintf(format, args...), hint}
	}
	names := scoring(k)
	for _, setting := range c.StringSlice("set") {
		name, value, ok := strings.Cut(setting, "=")
		if !ok {
			return wrong("such as --set RELEVANCE_CUTOFF=0.2", "--set %q is no KNOB=VALUE", short(setting, 60))
		}
		knob, ok := schema.FindKnob(name)
		if !ok {
			return wrong(didYouMean(strings.ToUpper(name), names, "the knobs that decide about a drop are "+strings.Join(names, ", ")), "there is no knob %q", short(name, 60))
		}
		if !slices.Contains(names, knob.Name) {
			return wrong("those that do are "+strings.Join(names, ", "), "%s does not decide about a score, and a replay cannot show what it would do", knob.Name)
		}
		if err := k.Set(name, value); err != nil {
			return wrong("", "%s: %s", knob.Name, err)
		}
	}
	for _, clash := range k.Contradictions() {
		if slices.Contains(names, clash.Names[0]) { // the triggers decide about no score
			return wrong("", "%s", clash.Msg)
		}
	}
	return k, nil
}
