package main

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/hook"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

const (
	maxStatus   = 1 << 20 // bytes of an agent's status that are looked at
	statusCells = 10      // of the gauge
)

// statusWait returns the time that an agent has to send its status, and to take the
// line: 300 ms unless tests set another limit.
func (p *program) statusWait() time.Duration { return cmp.Or(p.HookLimit, hook.Limit) * 15 / 100 }

// statusBusy returns the time to wait for a lock that another program holds: 100 ms
// unless tests set another limit.
func (p *program) statusBusy() time.Duration { return cmp.Or(p.HookLimit, hook.Limit) * 5 / 100 }

func (p *program) statuslineCommand() *cli.Command {
	return &cli.Command{
		Name:  "statusline",
		Usage: "Print a line for an agent's status line",
		Description: "Reads what the agent sends on standard input, as Claude Code does, and records how full its window is, as\n" +
			"'forgemind health --report' does. Without standard input the line is about the tree alone. The command\n" +
			"never fails. In the agent's settings:\n" +
			"\n  {\"statusLine\": {\"type\": \"command\", \"command\": \"forgemind statusline\"}}",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "agent", Usage: "who reports it (`NAME`); the model's name by default"},
			choice("color", "colors", "auto", "always", "never"),
			formatFlag(), dryRunFlag(),
		},
		Action: takes(0, 0, p.statusline),
	}
}

// A statusLine is what a status line tells, as programs read it.
type statusLine struct {
	Version   int            `json:"version"`
	DryRun    bool           `json:"dry_run,omitzero"`
	Line      string         `json:"line"`
	Tree      string         `json:"tree"` // "" where there is none
	Layer     string         `json:"layer"`
	Clarity   float64        `json:"clarity"`
	Used      int            `json:"used_tokens"`
	Total     int            `json:"total_tokens"` // 0: nobody says
	Percent   float64        `json:"usage_percent"`
	Status    string         `json:"status"` // healthy, warning, critical, unknown
	Model     string         `json:"model"`
	Questions int            `json:"open_questions"`
	Alerts    []health.Alert `json:"alerts"`
	Recorded  bool           `json:"recorded"` // what the agent said was news
}

// statusline prints the line whatever happens: an agent that gets none shows
// nothing at all. It never fails, whatever its outputs do.
func (p *program) statusline(c *cli.Context) error {
	defer func() { _ = recover() }()
	out, text := p.answerOutput(), &bytes.Buffer{}
	p.out.w = text
	said := hook.ReadStatusInput(p.agentStatus(c.Context))
	line := statusLine{Version: 1, DryRun: c.Bool("dry-run"), Status: health.Unknown, Used: said.Used, Total: said.Limit, Model: said.Model, Alerts: []health.Alert{}}
	switch c.String("color") {
	case "always": // but for who wants none at all
		p.out.colour = p.Getenv("NO_COLOR") == "" && !c.Bool("no-color")
	case "never":
		p.out.colour = false
	}
	root := p.statusRoot(c, said)
	news := false
	if root != "" {
		news = p.lookFor(&line, root, said, c.String("agent"))
	}
	if line.Total > 0 {
		line.Percent = float64(int(1000*float64(line.Used)/float64(line.Total)+0.5)) / 10
	}
	parts := fitted(line.parts(p.asciiOnly()), p.statusColumns())
	if !wantsJSON(c) {
		p.printStatusLine(parts)
		p.deliverStatus(c, root, out, text.Bytes())
	}
	if news {
		line.Recorded = p.recordStatus(c, root, said)
	}
	if wantsJSON(c) {
		line.Line = statusText(parts, p.asciiOnly())
		if p.printJSON(line) == nil {
			p.deliverStatus(c, root, out, text.Bytes())
		}
	}
	return nil
}

// deliverStatus writes the line to the agent. That the agent does not take it is noted
// for doctor.
func (p *program) deliverStatus(c *cli.Context, root string, out io.Writer, text []byte) {
	agent := c.String("agent")
	err := hook.Deliver(out, text, p.statusWait())
	if err == nil || root == "" || c.Bool("dry-run") {
		return
	}
	if tree, open := fs.Open(root); open == nil {
		hook.NoteFault(tree, p.Now(), cmp.Or(agent, "an agent"), "statusline", err.Error())
		tree.Close()
	}
}

// agentStatus is what an agent says on standard input; nil where nobody says
// anything, or too much.
func (p *program) agentStatus(ctx context.Context) []byte {
	if p.Stdin == nil || isTerminal(p.Stdin) {
		return nil
	}
	src, _ := hook.ReadObject(ctx, p.Stdin, maxStatus, p.statusWait())
	return src
}

// statusRoot is the tree that a line is about: that of --tree, else the nearest
// above where the agent works, else above the working directory; "" for none.
func (p *program) statusRoot(c *cli.Context, said hook.StatusInput) string {
	if c.IsSet("tree") {
		root, _ := p.root(c)
		return root
	}
	here, err := p.abs(".")
	if err != nil {
		return ""
	}
	root, _, err := fs.FindFirst(append(slices.Clone(said.Dirs), here)...)
	if err != nil {
		return ""
	}
	return ours(root)
}

// ours is the root of a tree, if it is no other user's: nobody asked for that one.
func ours(root string) string {
	if !fs.Ours(root) {
		return ""
	}
	return root
}

// lookFor fills in what the tree says, and says whether what the agent said is
// news to it. What cannot be read is an alert.
func (p *program) lookFor(line *statusLine, root string, said hook.StatusInput, agent string) (news bool) {
	line.Tree = filepath.Base(root)
	fault := func(err error) bool {
		line.Alerts = append(line.Alerts, health.Alert{Alert: "unreadable", Message: err.Error()})
		return false
	}
	tree, err := fs.Open(root)
	if err != nil {
		return fault(err)
	}
	defer tree.Close()
	report, err := health.Look(tree, p.Now())
	if err != nil {
		return fault(err)
	}
	if err := addAlerts(&report, tree, byName); err != nil {
		fault(err)
	}
	var s schema.State
	if src, err := tree.Read(fs.State); err == nil && jsonedit.Decode(src, &s) == nil && s.Project != nil {
		line.Tree, line.Clarity = s.Project.Name, s.Project.Clarity
		line.Layer, _ = schema.LayerName(int(s.Project.CurrentLayer))
	}
	line.Questions, line.Status = report.Monitoring.Context.OpenQuestions, report.Monitoring.Context.Status
	line.Alerts = append(line.Alerts, report.Monitoring.Alerts...)
	if w := report.Window; w != nil && !said.Empty { // else the tree knows of another window, or of what it was
		if said.Used == 0 {
			line.Used = w.UsedTokens
		}
		if line.Total == 0 {
			line.Total = w.TotalTokens
		}
	}
	if said.Used == 0 && !said.Empty {
		return false
	}
	line.judge(report.Window)
	if said.Empty {
		return false
	}
	now := sayingOf(said, agent)
	if known := health.ReadReported(tree, health.Talk(tree)); known != nil && known.Tokens == now.Used && known.Limit == now.Limit && known.Agent == now.Agent {
		return false
	}
	return !slices.Contains(readHeard(tree).Said, now)
}

// judge says how full the window is by what the agent said, in place of what the
// tree knew before.
func (l *statusLine) judge(w *health.Window) {
	if w == nil || l.Total == 0 || len(w.Marks) == 0 {
		return
	}
	l.Alerts = slices.DeleteFunc(l.Alerts, func(a health.Alert) bool { return strings.HasPrefix(a.Alert, "window-") })
	percent := 100 * float64(l.Used) / float64(l.Total)
	first, last := w.Marks[0].Percent, w.Marks[len(w.Marks)-1].Percent
	word := func(status, at string, than float64) {
		l.Status = status
		l.Alerts = append(l.Alerts, health.Alert{
			Alert: "window-" + status, Message: "the context window is above " + at + " of " + strconv.FormatFloat(than, 'f', -1, 64) + " %",
		})
	}
	switch {
	case percent >= last:
		word(health.Critical, "the last threshold", last)
	case percent >= first:
		word(health.Warning, "the first threshold", first)
	default:
		l.Status = health.Healthy
	}
}

// recordStatus keeps how full the agent says its window is, and says whether it
// was kept. A tree that cannot be written, or that others write to, is for the
// next time.
func (p *program) recordStatus(c *cli.Context, root string, said hook.StatusInput) bool {
	tree, err := p.open(root, c.Bool("dry-run"))
	if err != nil {
		return false
	}
	defer tree.Close()
	tree.LockTimeout = p.statusBusy()
	now := sayingOf(said, c.String("agent"))
	if _, err := tree.ReportUsage(context.WithoutCancel(c.Context), now.Agent, now.Used, now.Limit); err != nil || tree.DryRun {
		return false
	}
	readHeard(tree.Tree).with(now).keep(tree.Tree)
	return true
}
