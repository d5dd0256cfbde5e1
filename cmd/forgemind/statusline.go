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
	maxStatus   = 1 << 20                // bytes of an agent's status that are read
	statusWait  = 300 * time.Millisecond // wait for the agent's status
	statusBusy  = 100 * time.Millisecond // wait for another program's lock
	statusCells = 10                     // width of the gauge
)

func (p *program) statuslineCommand() *cli.Command {
	return &cli.Command{
		Name:  "statusline",
		Usage: "Print an agent's status line, and read its usage",
		Description: "Reads what the agent reports on standard input, as Claude Code does, and stores it like 'forgemind " +
			"health --report'; triggers fire on it. Without standard input the line describes the tree alone. The " +
			"command never fails. In the agent's settings:\n'{\"statusLine\": {\"type\": \"command\", \"command\": " +
			"\"forgemind statusline\"}}'",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "agent", Usage: "who reports (`NAME`); default: the model's name"},
			choice("color", "colours", "auto", "always", "never"),
			formatFlag(), dryRunFlag(),
		},
		Action: takes(0, 0, p.statusline),
	}
}

// A statusLine is the JSON output of statusline.
type statusLine struct {
	DryRun    bool           `json:"dry_run,omitzero"`
	Line      string         `json:"line"`
	Tree      string         `json:"tree"` // "" for none
	Layer     string         `json:"layer"`
	Clarity   float64        `json:"clarity"`
	Used      int            `json:"used_tokens"`
	Total     int            `json:"total_tokens"` // 0 if unknown
	Percent   float64        `json:"usage_percent"`
	Status    string         `json:"status"` // healthy, warning, critical or unknown
	Model     string         `json:"model"`
	Questions int            `json:"open_questions"`
	Alerts    []health.Alert `json:"alerts"`
	Recorded  bool           `json:"recorded"` // the agent's figures were stored
}

// statusline prints the line. It never fails, because an agent without a line shows nothing.
func (p *program) statusline(c *cli.Context) error {
	defer func() { _ = recover() }()
	out, text := p.answerOutput(), &bytes.Buffer{}
	p.out.w = text
	said := hook.ReadStatusInput(p.agentStatus(c.Context))
	line := statusLine{DryRun: c.Bool("dry-run"), Status: health.Unknown, Used: said.Used, Total: said.Limit, Model: said.Model, Alerts: []health.Alert{}}
	switch c.String("color") {
	case "always": // except for users who want none at all
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
		if p.printJSON("statusline", line) == nil {
			p.deliverStatus(c, root, out, text.Bytes())
		}
	}
	return nil
}

// deliverStatus writes the line to the agent. It records a failure for doctor.
func (p *program) deliverStatus(c *cli.Context, root string, out io.Writer, text []byte) {
	agent := c.String("agent")
	err := hook.Deliver(out, text, statusWait)
	if err == nil || root == "" || c.Bool("dry-run") {
		return
	}
	if tree, open := fs.Open(root); open == nil {
		hook.NoteFault(tree, p.Now(), cmp.Or(agent, "an agent"), "statusline", err.Error())
		tree.Close()
	}
}

// agentStatus returns the agent's status from standard input. It returns nil if there is none, or
// too much.
func (p *program) agentStatus(ctx context.Context) []byte {
	if p.Stdin == nil || isTerminal(p.Stdin) {
		return nil
	}
	src, _ := hook.ReadObject(ctx, p.Stdin, maxStatus, statusWait)
	return src
}

// statusRoot returns the root of the tree for a line: that of --tree, else the nearest above the
// agent's directory, else above the working directory, else "".
func (p *program) statusRoot(c *cli.Context, said hook.StatusInput) string {
	if !c.IsSet("tree") {
		for _, dir := range said.Dirs {
			if root, err := fs.Find(dir); err == nil && filepath.IsAbs(dir) {
				return ours(root)
			}
		}
	}
	root, err := p.root(c)
	if err != nil {
		return ""
	}
	if c.IsSet("tree") {
		return root
	}
	return ours(root)
}

// ours returns root, or "" if another user owns the tree.
func ours(root string) string {
	if !fs.IsOwned(root) {
		return ""
	}
	return root
}

// lookFor fills in the data of the tree, and reports whether the agent's figures are new. What
// cannot be read becomes an alert.
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
	if err := addAlerts(&report, tree); err != nil {
		fault(err)
	}
	var s schema.State
	if src, err := tree.Read(fs.State); err == nil && jsonedit.Decode(src, &s) == nil && s.Project != nil {
		line.Tree, line.Clarity = s.Project.Name, s.Project.Clarity
		line.Layer, _ = schema.LayerName(int(s.Project.CurrentLayer))
	}
	line.Questions, line.Status = report.Monitoring.Context.OpenQuestions, report.Monitoring.Context.Status
	line.Alerts = append(line.Alerts, report.Monitoring.Alerts...)
	if w := report.Window; w != nil {
		if said.Used == 0 && !said.Reset {
			line.Used = w.UsedTokens
		}
		if line.Total == 0 {
			line.Total = w.TotalTokens
		}
	}
	if said.Used == 0 && !said.Reset {
		return false
	}
	line.judge(report.Window)
	now, known := sayingOf(said, agent), health.ReadReported(tree, health.Talk(tree))
	if said.Reset {
		return known != nil && known.Agent == now.Agent
	}
	if known != nil && known.Tokens == now.Used && known.Limit == now.Limit && known.Agent == now.Agent {
		return false
	}
	return !slices.Contains(readHeard(tree).Said, now)
}

// judge computes the usage of the window from the agent's figures in place of those of the tree.
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

// recordStatus stores the agent's figures and reports whether it did. A read-only or locked tree is
// no error; the next call tries again.
func (p *program) recordStatus(c *cli.Context, root string, said hook.StatusInput) bool {
	tree, err := p.open(root, c.Bool("dry-run"))
	if err != nil {
		return false
	}
	defer tree.Close()
	tree.LockTimeout = statusBusy
	if said.Reset {
		_, err := tree.ForgetUsage(context.WithoutCancel(c.Context))
		return err == nil && !tree.DryRun
	}
	now := sayingOf(said, c.String("agent"))
	if _, err := tree.ReportUsage(context.WithoutCancel(c.Context), now.Agent, now.Used, now.Limit); err != nil || tree.DryRun {
		return false
	}
	readHeard(tree.Tree).with(now).keep(tree.Tree)
	return true
}
