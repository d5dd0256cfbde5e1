package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/audit"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/hook"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/validate"
)

func (p *program) statusCommand() *cli.Command {
	return &cli.Command{
		Name:  "status",
		Usage: "Show context window, session and alerts",
		Description: "Figures that change with every command, such as used tokens, are stored at checkpoints only; this command\n" +
			"computes them. With --format json it prints the monitoring object.",
		Flags:  []cli.Flag{formatFlag()},
		Action: takes(0, 0, p.status),
	}
}

func (p *program) status(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	audited := query.Glance(c.Context, tree, p.Now())
	untracked := make(chan query.UntrackedCount, 1)
	go func() {
		within, cancel := git.Within(c.Context, p.gitWait())
		defer cancel()
		untracked <- query.Untracked(within, tree)
	}()
	report, err := health.Look(tree, p.Now())
	if err != nil {
		return err
	}
	at := p.at
	if wantsJSON(c) {
		at = byName
	}
	if err := addAlerts(&report, tree, at); err != nil {
		return err
	}
	glance, looked := audited(report.Monitoring.Context.DecisionsTracked)
	if looked {
		alertStale(&report, glance, at)
	}
	if wantsJSON(c) {
		shown := struct {
			health.Report
			Audit      *query.AuditGlance `json:"audit,omitempty"`
			Untracked  int                `json:"untracked_records,omitzero"` // that git does not track yet
			NotChecked []audit.Gap        `json:"not_checked,omitempty"`
		}{Report: report}
		known := <-untracked
		if shown.Untracked = known.Records; known.Err != nil {
			shown.NotChecked = append(shown.NotChecked, audit.Gap{What: "which records git does not track", Why: known.Err.Error()})
		}
		if looked {
			shown.Audit = &glance
		}
		return p.printJSON(shown)
	}
	if looked {
		report.Concluded = nil // the audit names them
	}
	p.printStatus(report, p.sayAudit(glance, looked), (<-untracked).String())
	return nil
}

// gitWait returns the time that git has to say what it does not track or ignore: 1.5 s unless
// tests set another limit.
func (p *program) gitWait() time.Duration { return cmp.Or(p.HookLimit, hook.Limit) * 3 / 4 }

// byName calls a document what the tree calls it: not everybody reads in the working directory.
func byName(name string) string { return name }

// addAlerts adds what the judge, the watcher, the write protocol and the triggers have to say.
// at returns how documents are called in it.
func addAlerts(report *health.Report, tree *fs.Tree, at func(name string) string) error {
	judgeState(report, tree, at)
	if w, ok := health.ReadWatch(tree); ok && w.Paused != "" && tree.Watched() {
		report.Monitoring.Alert("paused", "the watcher is paused: %s", w.Paused)
	}
	if w, ok := health.ReadWatch(tree); ok && w.Why != "" && tree.Watched() {
		report.Monitoring.Alert("polling", "the watcher looks only from time to time: %s", w.Why)
	}
	put, err := tree.Incidents()
	if err != nil {
		return err
	}
	for _, i := range put {
		kept := ""
		if i.Kept != "" {
			kept = "; its bytes are kept in " + at(i.Kept)
		}
		report.Monitoring.Alert("save-put-aside", "%s: %s%s", at(i.Name), i.What, kept)
	}
	standings, err := engine.Triggers(tree)
	if err != nil {
		report.Monitoring.Alert("triggers-unreadable", "%v", err)
	}
	for _, s := range standings {
		switch {
		case s.Fault != nil:
			report.Monitoring.Alert("trigger-faulty", "trigger %s never fires: %v", s.Name, s.Fault)
		case s.Off != nil:
			report.Monitoring.Alert("trigger-off", "trigger %s is switched off: %s; firing it by hand switches it on", s.Name, s.Off.Why)
		}
	}
	return nil
}

// judgeState adds what is wrong within the State, for that stops a watcher and
// makes figures doubtful.
func judgeState(report *health.Report, tree *fs.Tree, at func(name string) string) {
	src, err := tree.ReadStored(fs.State)
	unreadable := func(a health.Alert) bool { return a.Alert == "state-unreadable" }
	if err != nil || views.Torn(tree, fs.State, src) || slices.ContainsFunc(report.Monitoring.Alerts, unreadable) {
		return
	}
	var wrong []validate.Finding
	for _, f := range validate.Bytes(fs.State, src, validate.Options{Severity: validate.Configured(tree)}) {
		if f.Severity == validate.Error {
			wrong = append(wrong, f)
		}
	}
	if len(wrong) > 0 {
		report.Monitoring.Alert("state-invalid", "%s in %s, line %d: %s; 'forgemind validate' shows all",
			count(len(wrong), "error"), at(fs.State), wrong[0].Line, wrong[0].Message)
	}
}

// printStatus shows a Report to people.
func (p *program) printStatus(r health.Report, audited, untracked string) {
	c, s := r.Monitoring.Context, r.Monitoring.Session
	p.printf("context   %s, window %v %% full\n", c.Status, c.WindowUsage)
	if r.Window != nil {
		p.printGauge(*r.Window, c.Status)
		p.printParts(*r.Window)
	}
	p.printf("          %s loaded, %s, %s, last compaction %s\n",
		count(c.LoadedArtifacts, "artifact"), decisionsOf(c), count(c.OpenQuestions, "open question"), c.LastCompaction)
	session := []string{s.Duration}
	for _, of := range []struct {
		n    int
		word string
	}{{s.Messages, "message"}, {s.Commands, "command"}, {s.Errors, "error"}} {
		if of.n > 0 {
			session = append(session, count(of.n, of.word))
		}
	}
	if s.ClarityProgress != "+0%" {
		session = append(session, "clarity "+s.ClarityProgress)
	}
	p.printf("session   %s\n", strings.Join(session, ", "))
	if w := r.Work; w.Pending > 0 {
		p.printf("work      %s, %d blocked, %d overdue\n", count(w.Pending, "pending action"), w.Blocked, w.Overdue)
	}
	p.printf("audit     %s\n", audited)
	if untracked != "" {
		p.printf("git       %s\n", inline(untracked))
	}
	var waiting []string
	if r.Waiting > 0 {
		waiting = append(waiting, count(r.Waiting, "decision"))
	}
	if r.Unheard > 0 {
		waiting = append(waiting, count(r.Unheard, "message"))
	}
	if len(r.Changed) > 0 {
		waiting = append(waiting, count(len(r.Changed), "loaded file"))
	}
	if len(waiting) > 0 {
		p.printf("waiting   %s that forgemind has not acted on; the next command that writes does\n", strings.Join(waiting, " and "))
	}
	if n := len(r.Concluded); n > 0 {
		p.printf("threads   %d concluded and not condensed; 'forgemind thread list' says which\n", n)
	}
	for _, d := range r.Due {
		p.printf("due       %s\n", inline(d.String()))
	}
	for _, a := range r.Monitoring.Alerts {
		p.out.Paint("33", "alert")
		p.printf("     %s [%s]\n", inline(a.Message), a.Alert)
	}
	if len(r.Monitoring.Alerts) == 0 {
		p.printf("no alerts\n")
	}
}

// decisionsOf says how many decisions there are.
func decisionsOf(c health.Context) string {
	if c.Proposed > 0 {
		return fmt.Sprintf("%s and %d proposed", count(c.DecisionsTracked, "decision"), c.Proposed)
	}
	return count(c.DecisionsTracked, "decision")
}

// printGauge draws how full the window is, with the thresholds of the policy.
func (p *program) printGauge(w health.Window, status string) {
	const indent, narrow, widest = "          ", 20, 60
	tail := "]  " + thousands(w.UsedTokens) + " tokens"
	if w.TotalTokens > 0 {
		tail = "]  " + thousands(w.UsedTokens) + " of " + thousands(w.TotalTokens) + " tokens"
	}
	g := gauge{percent: w.UsagePercent, ascii: p.asciiOnly()}
	if g.cells = min(p.width()-len(indent)-1-len(tail), widest); g.cells < narrow {
		g.cells = narrow
		tail = strings.Replace(tail, "  ", "\n"+indent, 1)
	}
	separator := " · "
	if g.ascii {
		separator = ", "
	}
	var marks []string
	for _, m := range w.Marks {
		g.marks = append(g.marks, m.Percent)
		marks = append(marks, fmt.Sprintf("%s %v", m.Name, m.Percent))
	}
	colours := map[string]string{health.Healthy: "32", health.Warning: "33", health.Critical: "31"}
	full, rest := g.bar()
	p.printf("%s[", indent)
	p.out.Paint(colours[status], full)
	p.printf("%s%s\n", rest, tail)
	if len(marks) > 0 {
		p.printf("%s\n", fill(marks, separator, indent, p.width()))
	}
}
