package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/internal/session"
)

func (p *program) compactCommand() *cli.Command {
	return &cli.Command{
		Name:  "compact",
		Usage: "Shorten the conversation",
		Description: "Decisions, pins and the last messages stay; the rest is replaced by one summary and moved to cold\n" +
			"storage. 'forgemind recover' finds it there, and 'forgemind uncompact' takes everything back.\n" +
			"\n--strategy relevance scores each message by how well it answers the prompt, how recent it is, and whether\n" +
			"it is marked as important. A score of KEEP_THRESHOLD keeps it, one below RELEVANCE_CUTOFF drops it, and\n" +
			"what lies between is summarized; see 'forgemind config show'. The budget is then never exceeded:\n" +
			"decisions and last messages that do not fit are named in the summary. If pins do not fit, nothing is\n" +
			"changed and the exit code is 1. A pin is a message with \"pinned\": true in its metadata or with the\n" +
			"priority critical.\n" +
			"\nExample:\n" +
			"  forgemind compact --now --strategy psd --budget 20000 --dry-run",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "now", Usage: "compact even if the window is not full enough"},
			optional("strategy", "how to choose", "what the policy says", compact.SessionSummary, compact.PSD, compact.Adaptive, compact.Relevance),
			&cli.IntFlag{Name: "budget", Usage: "how many `TOKENS` may stay", DefaultText: "what the strategy gives"},
			&cli.StringFlag{Name: "prompt", Usage: "the `TEXT` that messages should answer; implies --strategy relevance", DefaultText: "what the user said last"},
			formatFlag(), dryRunFlag(),
		},
		Action: takes(0, 0, p.compact),
	}
}

// A compactReport is what compact prints with --format json.
type compactReport struct {
	outcomeReport
	Compaction   string          `json:"compaction"` // its id; "" where nothing was done
	Strategy     string          `json:"strategy"`
	Level        string          `json:"level,omitempty"`
	Prompt       string          `json:"prompt,omitempty"` // that relevance compared with
	TokensBefore int             `json:"tokens_before"`
	TokensAfter  int             `json:"tokens_after"`
	Ratio        float64         `json:"compression_ratio"`
	Kept         []string        `json:"kept"`
	Summarised   []string        `json:"summarised"`
	Dropped      []droppedReport `json:"dropped"`
	Summary      string          `json:"summary"` // markdown
	SummaryFile  string          `json:"summary_file,omitempty"`
	ColdStorage  string          `json:"cold_storage,omitempty"` // the file that holds what left
	Alert        string          `json:"alert,omitempty"`
	Refused      string          `json:"refused,omitempty"` // why nothing was done although it was asked for
}

// A droppedReport is a message that a compaction dropped, and why.
type droppedReport struct {
	ID     string  `json:"id"`
	Reason string  `json:"reason"`
	Score  float64 `json:"score"`
}

func (p *program) compact(c *cli.Context) error {
	if c.IsSet("budget") && c.Int("budget") < 1 {
		return &usageError{fmt.Sprintf("%s: --budget %d is no number of tokens", c.Command.HelpName, c.Int("budget")), usageLine(c.Command)}
	}
	strategy := c.String("strategy")
	if c.IsSet("prompt") {
		if strategy == "" {
			strategy = compact.Relevance
		} else if strategy != compact.Relevance {
			return &usageError{fmt.Sprintf("%s: --prompt goes with --strategy %s, not with %s", c.Command.HelpName, compact.Relevance, strategy), usageLine(c.Command)}
		}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		stop := p.busy("compacting")
		done, out, err := tree.Compact(c.Context, engine.Compaction{
			Strategy: strategy, Budget: c.Int("budget"), Now: c.Bool("now"), Prompt: c.String("prompt"),
		})
		stop()
		if err != nil {
			return err
		}
		if wantsJSON(c) {
			err = p.printJSON(compactJSON(done, outcomeJSON(out, c.Bool("dry-run"))))
		} else if done.Refused == "" {
			if c.Bool("dry-run") {
				p.printSteps(done, contents(tree))
			}
			p.printCompacted(done, out, c.Bool("dry-run"))
		}
		if err == nil && done.Refused != "" {
			return withHint(&unmetError{"compact: " + inline(done.Refused)}, "allow more with --budget, or unpin messages")
		}
		return err
	})
}

func compactJSON(done engine.Compacted, out outcomeReport) compactReport {
	r := compactReport{
		outcomeReport: out,
		Compaction:    done.ID, Strategy: done.Strategy, Level: done.Level,
		TokensBefore: done.TokensBefore, TokensAfter: done.TokensAfter, Ratio: done.Ratio,
		Kept: []string{}, Summarised: []string{}, Dropped: []droppedReport{},
		Summary: done.Plan.Summary, SummaryFile: done.Summary, ColdStorage: done.Cold, Alert: done.Alert,
		Prompt: done.Prompt, Refused: done.Refused,
	}
	r.Notes = append(done.Notes, r.Notes...)
	for _, s := range done.Steps {
		switch s.Verdict {
		case compact.Summarised:
			r.Summarised = append(r.Summarised, stepID(s))
		case compact.Dropped:
			r.Dropped = append(r.Dropped, droppedReport{stepID(s), s.Reason, s.Score})
		default:
			r.Kept = append(r.Kept, stepID(s))
		}
	}
	return r
}

// stepID names a step's message; one without an id by its place.
func stepID(s compact.Step) string {
	if s.ID == "" {
		return fmt.Sprintf("#%d", s.Index+1)
	}
	return s.ID
}

// contents are the live conversation's texts by message id, for showing them.
// Where they cannot be read, a plan is shown without.
func contents(tree *engine.Tree) map[string]string {
	messages, _, _ := conversation(tree.Tree)
	byID := make(map[string]string, len(messages))
	for _, m := range messages {
		byID[m.ID] = m.Content
	}
	return byID
}

// printSteps says of each message what is to become of it, why, and what it
// costs before and after.
func (p *program) printSteps(done engine.Compacted, contents map[string]string) {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	compared := slices.ContainsFunc(done.Steps, func(s compact.Step) bool { return s.Parts != nil })
	scores := func(s string) string {
		if !compared {
			return ""
		}
		return s
	}
	if len(done.Steps) > 0 {
		fmt.Fprintf(table, "verdict\tbefore\tafter\tmessage\tkind\t%swhy\tsays\n", scores("score\tsimilarity, age\t"))
	}
	cell := func(s string, n int) string { return string(escape([]byte(short(s, n)))) }
	for _, s := range done.Steps {
		after := 0
		if s.Verdict == compact.Kept {
			after = s.Tokens
		}
		fmt.Fprintf(table, "%s\t%6d\t%5d\t%s\t%s\t%s%s\t%s\n",
			s.Verdict, s.Tokens, after, cell(stepID(s), 40), cell(s.Kind, 20), scores(scoreCells(s.Parts)), cell(s.Reason, 60), cell(contents[s.ID], 50))
	}
	table.Flush()
	p.printLines(text.String())
}

// scoreCells are a score and what it came from, for the table.
func scoreCells(parts *relevance.Parts) string {
	if parts == nil {
		return "\t\t"
	}
	from := fmt.Sprintf("%.2f, %.0f h", parts.Similarity, parts.Hours)
	if parts.Important {
		from += ", important"
	}
	return fmt.Sprintf("%.3f\t%s\t", float64(parts.Score)/1000, from)
}

// printCompacted says what a compaction did, or would do, in sum.
func (p *program) printCompacted(done engine.Compacted, out engine.Outcome, dryRun bool) {
	if done.Alert != "" {
		p.note("forgemind: warning: %s", inline(done.Alert))
	}
	if done.Empty() {
		p.printf("nothing is to be compacted: %s in %s (%s)\n",
			count(done.TokensBefore, "token"), count(len(done.Steps), "message"), inline(done.Strategy))
		for _, n := range done.Notes {
			p.printf("  %s\n", inline(n))
		}
		p.effects(out, dryRun)
		return
	}
	n := map[compact.Verdict]int{}
	for _, s := range done.Steps {
		n[s.Verdict]++
	}
	how := done.Strategy
	if done.Level != "" {
		how += ", " + done.Level
	}
	p.printf("%s tokens -> %s tokens (%s)\n", thousands(done.TokensBefore), thousands(done.TokensAfter), inline(how))
	for _, note := range done.Notes {
		p.printf("  %s\n", inline(note))
	}
	p.outcome(out, fmt.Sprintf("%d kept, %d summarised, %d dropped: compaction %s",
		n[compact.Kept], n[compact.Summarised], n[compact.Dropped], inline(done.ID)), dryRun)
}

func (p *program) uncompactCommand() *cli.Command {
	return &cli.Command{
		Name:  "uncompact",
		Usage: "Undo the latest compaction",
		Description: "The messages are restored exactly; newer messages are kept after them. With --dry-run it says which\n" +
			"compaction it would undo.",
		Flags:  []cli.Flag{formatFlag(), dryRunFlag()},
		Action: takes(0, 0, p.uncompact),
	}
}

// An uncompactReport is what uncompact prints with --format json.
type uncompactReport struct {
	outcomeReport
	Compaction string `json:"compaction"` // the id of what was taken back
	Messages   int    `json:"messages"`   // how many came back
}

func (p *program) uncompact(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		id, messages, out, err := tree.Uncompact(c.Context)
		if err != nil {
			return uncompactError(err)
		}
		headline := "took back compaction %s: %s came back"
		if c.Bool("dry-run") {
			headline = "would take back compaction %s: %s come back"
		}
		return p.changed(c, out, fmt.Sprintf(headline, inline(id), count(messages, "message")),
			uncompactReport{outcomeJSON(out, c.Bool("dry-run")), id, messages})
	})
}

// notInGit says where to look for what a working copy does not have.
const notInGit = "git does not keep cold storage: what a compaction removes is only in the working copy that made it, under cold-storage, and in backups of that"

// uncompactError says what is left to do where a compaction cannot be taken
// back.
func uncompactError(err error) error {
	var changed *session.Changed
	var ended *engine.EndedCompactionError
	switch {
	case errors.As(err, &ended):
		return withHint(&unmetError{err.Error()}, "'forgemind sessions restore %s' makes it active again; then run 'forgemind uncompact'", inline(ended.Session))
	case errors.Is(err, engine.ErrNotCompacted):
		return withHint(&unmetError{err.Error()}, "'forgemind compact' makes one; 'forgemind cold-storage list' shows what left before")
	case errors.Is(err, cold.ErrUnknown):
		return withHint(&unmetError{err.Error()}, "nothing was changed; "+notInGit)
	case errors.As(err, &changed):
		return withHint(&unmetError{err.Error()}, "nothing was changed; 'forgemind recover' finds what is in cold storage")
	}
	return err
}
