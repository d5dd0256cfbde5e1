package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) healthCommand() *cli.Command {
	return &cli.Command{
		Name:  "health",
		Usage: "Show how full the window is, and of what",
		Description: "Each run adds a line to the health log, unless --dry-run is given. --report records how many tokens a\n" +
			"request of the agent really had; that counts until the next compaction, in place of an estimate.\n" +
			"\nExamples:\n" +
			"  forgemind health --notify-if-pct 0.50\n" +
			"  forgemind health --report 120000 --limit 200000 --agent claude",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "notify-if-pct", Usage: "print nothing and exit with 0 unless the window is fuller than `RATIO`, from 0 to 1; exit with 1 if it is"},
			&cli.IntFlag{Name: "report", Usage: "record that the agent's request had `TOKENS` tokens in all"},
			&cli.IntFlag{Name: "limit", Usage: "with --report: the size of the window in `TOKENS`"},
			&cli.StringFlag{Name: "agent", Usage: "with --report: the `NAME` of the agent"},
			formatFlag(), dryRunFlag(),
		},
		OnUsageError: func(c *cli.Context, err error, sub bool) error {
			if strings.Contains(err.Error(), "needs an argument: -notify-if-pct") {
				return noRatio(c, "")
			}
			return onUsageError(c, err, sub)
		},
		Action: func(c *cli.Context) error {
			if _, err := ratioFlag(c); err != nil { // before what a shell made an argument
				return err
			}
			return takes(0, 0, p.health)(c)
		},
	}
}

func (p *program) health(c *cli.Context) error {
	threshold, err := ratioFlag(c)
	if err != nil {
		return err
	}
	if err := reportFlags(c); err != nil {
		return err
	}
	if c.IsSet("report") {
		return p.reportUsage(c)
	}
	root, err := p.root(c)
	if err != nil {
		return err
	}
	tree, err := p.open(root, c.Bool("dry-run"))
	if err != nil {
		return err
	}
	defer tree.Close()
	now := p.Now()
	look, err := health.Look(tree.Tree, now)
	if err != nil {
		return err
	}
	shown := healthReport{Version: 1, DryRun: c.Bool("dry-run"), Status: look.Monitoring.Context.Status, Window: look.Window}
	line, known := look.Window.Line(now, health.ColdChunks(tree.Tree, nil))
	if shown.LogHealth = line; known {
		shown.Above = c.IsSet("notify-if-pct") && look.Window.Ratio() > threshold
		if next := look.Window.Next; next != nil {
			shown.Left = next.Left
		}
		shown.Logged = p.logHealth(c.Context, tree, line, now)
	}
	return p.printHealth(c, shown, known)
}

// A healthReport is what health prints with --format json: the line of the log,
// and more.
type healthReport struct {
	Version int  `json:"version"`
	DryRun  bool `json:"dry_run,omitzero"`
	schema.LogHealth
	Left   int            `json:"tokens_until_compaction"`
	Status string         `json:"status"` // healthy, warning, critical; unknown
	Above  bool           `json:"above"`  // what --notify-if-pct asks
	Window *health.Window `json:"window"` // null where nobody says how large it is
	Logged bool           `json:"logged"`
}

// logHealth adds a line to the log of health. A tree that cannot be written is
// looked at all the same.
func (p *program) logHealth(ctx context.Context, tree *engine.Tree, line schema.LogHealth, at time.Time) bool {
	tree.LockTimeout = time.Second // who asks waits for it
	if err := health.Record(ctx, tree.Tree, line, at); err != nil {
		p.note("forgemind: warning: this look is not in the log: %s", inline(err.Error()))
		return false
	}
	return !tree.DryRun
}

// errWindow is a window of unknown size.
func errWindow() error {
	return withHint(fmt.Errorf("nobody says how large the context window is: there is no State with a context_window, and no active session"),
		"'forgemind health --report TOKENS --limit TOKENS' says it, or total_tokens in the State's context_window")
}

// printHealth prints the report. What is above the threshold of --notify-if-pct
// ends with exit code 1.
func (p *program) printHealth(c *cli.Context, r healthReport, known bool) error {
	asked := c.IsSet("notify-if-pct")
	switch {
	case !known && asked:
		return errWindow()
	case wantsJSON(c):
		if err := p.printJSON(r); err != nil {
			return err
		}
	case !known:
		p.printf("context   %s\n", r.Status)
		if r.Window != nil {
			p.printParts(*r.Window)
		}
		p.note("forgemind: warning: %v", errWindow())
	case !asked:
		p.printf("context   %s, window %v %% full\n", r.Status, r.Window.UsagePercent)
		p.printGauge(*r.Window, r.Status)
		p.printParts(*r.Window)
		p.printf("chunks    %s in the conversation, %s in cold storage\n", thousands(int(r.MemcachedChunks)), thousands(int(r.ColdStorageChunks)))
	case r.Above:
		p.printf("the context window is %v %% full, above %s: %s of %s tokens%s\n", r.Window.UsagePercent, inline(c.String("notify-if-pct")),
			thousands(r.Window.UsedTokens), thousands(r.Window.TotalTokens), nextAt(r.Window.Next))
	}
	if r.Above {
		return errFindings
	}
	return nil
}

// nextAt is when the next compaction is due, for the end of a line.
func nextAt(next *health.Next) string {
	switch {
	case next == nil:
		return ""
	case next.Left == 0:
		return "; a compaction is due"
	}
	return fmt.Sprintf("; the next compaction is %s tokens away", thousands(next.Left))
}

// printParts says what fills the window, who says so, and when it is compacted.
func (p *program) printParts(w health.Window) {
	const indent, most = "          ", 12
	var parts []string
	rest := 0
	for i, part := range w.Parts {
		if i >= most && len(w.Parts)-i > 3 { // the last are the conversation's
			rest += part.Tokens
			continue
		}
		parts = append(parts, short(strings.ReplaceAll(part.Name, "_", " "), 40)+" "+thousands(part.Tokens))
	}
	if rest > 0 {
		parts = append(parts, "others "+thousands(rest))
	}
	separator := " · "
	if p.asciiOnly() {
		separator = ", "
	}
	if len(parts) > 0 {
		p.printf("%-10s%s\n", "parts", strings.TrimLeft(fill(parts, separator, indent, p.width()), " "))
	}
	if r := w.Reported; r != nil {
		who := "an agent"
		if r.Agent != "" {
			who = short(r.Agent, 40)
		}
		p.printf("reported  %s tokens by %s at %s, %s since\n", thousands(r.Tokens), who, short(r.At, 40), thousands(w.UsedTokens-r.Tokens))
	}
	switch next := w.Next; {
	case next == nil:
	case next.Left == 0:
		p.printf("next      a compaction is due: it is at %s tokens (%v %%)\n", thousands(next.Tokens), next.Percent)
	default:
		p.printf("next      compaction at %s tokens (%v %%), %s left\n", thousands(next.Tokens), next.Percent, thousands(next.Left))
	}
}

// ratioFlag is the value of --notify-if-pct; where it is not given, one that
// nothing is above.
func ratioFlag(c *cli.Context) (float64, error) {
	if !c.IsSet("notify-if-pct") {
		return math.Inf(1), nil
	}
	ratio, err := strconv.ParseFloat(c.String("notify-if-pct"), 64)
	if err != nil || !(ratio >= 0 && ratio <= 1) {
		return 0, noRatio(c, c.String("notify-if-pct"))
	}
	return ratio, nil
}

// noRatio is the error of a --notify-if-pct that is none.
func noRatio(c *cli.Context, value string) error {
	const means = "a ratio from 0 to 1: 0.5 for 50 %"
	percent, err := strconv.ParseFloat(strings.TrimSuffix(value, "%"), 64)
	switch {
	case value == "" || flagName(value) != "": // the next flag was taken for it
		return &usageError{
			fmt.Sprintf("%s: --notify-if-pct needs %s", c.Command.HelpName, means),
			"a shell takes '> 0.50' for a file of that name to write to; leave the '>' away: --notify-if-pct 0.50",
		}
	case err == nil && percent > 1 && percent <= 100:
		return &usageError{
			fmt.Sprintf("%s: --notify-if-pct %q is not %s", c.Command.HelpName, short(value, 40), means),
			"did you mean --notify-if-pct " + strconv.FormatFloat(percent/100, 'f', -1, 64) + "?",
		}
	}
	return &usageError{fmt.Sprintf("%s: --notify-if-pct %q is not %s", c.Command.HelpName, short(value, 40), means), usageLine(c.Command)}
}

// reportFlags checks what is said with --report.
func reportFlags(c *cli.Context) error {
	wrong := ""
	for _, name := range []string{"report", "limit"} {
		if n := c.Int(name); c.IsSet(name) && (n < 1 || n > transcript.MaxUsage) {
			wrong = fmt.Sprintf("--%s %d is no number of tokens", name, n)
		}
	}
	switch {
	case wrong != "":
	case !c.IsSet("report") && (c.IsSet("limit") || c.IsSet("agent")):
		wrong = "--limit and --agent say more about --report, which is missing"
	case c.IsSet("report") && c.IsSet("notify-if-pct"):
		wrong = "either --report or --notify-if-pct"
	}
	if wrong == "" {
		return nil
	}
	return &usageError{c.Command.HelpName + ": " + wrong, usageLine(c.Command)}
}

// reportUsage keeps how large an agent's request was.
func (p *program) reportUsage(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		out, err := tree.ReportUsage(c.Context, c.String("agent"), c.Int("report"), c.Int("limit"))
		if err != nil {
			return err
		}
		if wantsJSON(c) {
			p.warn(out)
			return p.printJSON(outcomeJSON(out, c.Bool("dry-run")))
		}
		headline := thousands(c.Int("report")) + " tokens"
		if c.IsSet("limit") {
			headline += " of " + thousands(c.Int("limit"))
		}
		if c.Bool("dry-run") {
			p.printf("would take the window to hold %s\n", headline)
		} else {
			p.printf("the window holds %s, and what is said from now on\n", headline)
		}
		p.effects(out, c.Bool("dry-run"))
		return nil
	})
}
