package main

import (
	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/refresh"
)

func (p *program) statusCommand() *cli.Command {
	return &cli.Command{
		Name:   "status",
		Usage:  "how the context window, the session and the triggers are, with alerts",
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
	report, err := health.Look(tree, p.Now())
	if err != nil {
		return err
	}
	if err := addAlerts(&report, tree); err != nil {
		return err
	}
	if wantsJSON(c) {
		return p.printJSON(report)
	}
	p.printStatus(report.Monitoring)
	return nil
}

// addAlerts adds what the watcher, the write protocol and the triggers have to say.
func addAlerts(report *health.Report, tree *fs.Tree) error {
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
			kept = "; its bytes are kept in " + i.Kept
		}
		report.Monitoring.Alert("save-put-aside", "%s: %s%s", i.Name, i.What, kept)
	}
	standings, err := refresh.Triggers(tree)
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

func (p *program) printStatus(m health.Monitoring) {
	c, s := m.Context, m.Session
	p.printf("context   %s, window %v %% full\n", c.Status, c.WindowUsage)
	p.printf("          %d artifacts loaded, %d decisions, %d open questions, last compaction %s\n",
		c.LoadedArtifacts, c.DecisionsTracked, c.OpenQuestions, c.LastCompaction)
	p.printf("session   %s, %d messages, %d commands, %d errors, clarity %s\n",
		s.Duration, s.Messages, s.Commands, s.Errors, s.ClarityProgress)
	for _, a := range m.Alerts {
		p.printf("alert     %s [%s]\n", inline(a.Message), a.Alert)
	}
	if len(m.Alerts) == 0 {
		p.printf("no alerts\n")
	}
}
