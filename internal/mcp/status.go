package mcp

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

func statusTool() tool {
	return tool{
		name: "status", title: "How the tree is",
		about: "How full the context window is, what the session did, what is to be done, and alerts that a person should look at.",
		run:   func(c *call) (answer, error) { return reading(c.server, c.status) },
	}
}

func (c *call) status(tree *fs.Tree) (answer, error) {
	report, err := c.Report(tree)
	if err != nil {
		return answer{}, err
	}
	const most, long = 15, 200
	m := &report.Monitoring
	left := len(m.Alerts) - most
	alerts := []health.Alert{}
	for _, a := range m.Alerts[:min(len(m.Alerts), most)] {
		alerts = append(alerts, health.Alert{Alert: a.Alert, Message: inline(a.Message, long)})
	}
	m.Alerts = alerts
	var b strings.Builder
	fmt.Fprintf(&b, "context: %s, window %v %% full, %d artifacts loaded, %d decisions, %d open questions, last compaction %s\n",
		m.Context.Status, m.Context.WindowUsage, m.Context.LoadedArtifacts, m.Context.DecisionsTracked, m.Context.OpenQuestions, m.Context.LastCompaction)
	if w := report.Window; w != nil {
		fmt.Fprintf(&b, "window: %d of %d tokens\n", w.UsedTokens, w.TotalTokens)
	}
	fmt.Fprintf(&b, "session: %s, %d messages, %d commands, %d errors, clarity %s\n",
		m.Session.Duration, m.Session.Messages, m.Session.Commands, m.Session.Errors, m.Session.ClarityProgress)
	fmt.Fprintf(&b, "work: %d pending actions, %d blocked, %d overdue\n", report.Work.Pending, report.Work.Blocked, report.Work.Overdue)
	for _, a := range alerts {
		fmt.Fprintf(&b, "alert: %s [%s]\n", a.Message, a.Alert)
	}
	structured, err := jsonedit.Value(report)
	if left > 0 && err == nil {
		hint := fmt.Sprintf("%d more alerts; 'forgemind status' shows all", left)
		fmt.Fprintf(&b, "[cut: %s]\n", hint)
		structured, err = jsonedit.Set(structured, "/hint", fmt.Appendf(nil, "%q", hint))
	}
	if len(alerts) == 0 {
		b.WriteString("no alerts\n")
	}
	return answer{b.String(), structured}, err
}
