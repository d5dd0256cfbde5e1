package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/schema"
)

// replay evaluates past drops with the tree's knobs or with other values.
func (p *program) replay(c *cli.Context, tree *fs.Tree, logs health.Logs, now schema.Knobs) error {
	k, err := otherKnobs(c, now)
	if err != nil {
		return err
	}
	r := health.Rerun(logs, k, chunksOf(tree))
	if wantsJSON(c) {
		return p.printJSON("replay", r)
	}
	p.printReplay(r, k, now, ofPart(c))
	return nil
}

// chunksOf returns a function that finds chunks of cold storage, which is read at the first call.
func chunksOf(tree *fs.Tree) func(id string) (schema.Chunk, bool) {
	var all map[string]schema.Chunk
	return func(id string) (schema.Chunk, bool) {
		if all == nil {
			all = map[string]schema.Chunk{}
			list, _, _ := cold.List(tree) // a chunk that cannot be read has no parts
			for _, c := range list {
				c.Content, c.Message = "", nil
				all[c.ChunkID] = c
			}
		}
		c, ok := all[id]
		return c, ok
	}
}

// printReplay prints a Replay. If part is true, it notes that only a part of the logs was used.
func (p *program) printReplay(r health.Replay, k, now schema.Knobs, part bool) {
	if r.Drops == 0 {
		where := map[bool]string{false: "the logs", true: "the logs of this time and session"}[part]
		p.printf("nothing to replay: no drop in %s%s\n", where, map[bool]string{false: "; LOG_DROPS is off"}[now.LogDrops])
		return
	}
	p.printf("%d of %s scored again with %s\n", r.Replayed, count(r.Drops, "drop"), changedKnobs(k, now))
	recovered := r.Kept.Recovered + r.Summed.Recovered + r.Dropped.Recovered
	for _, o := range []struct {
		name string
		health.Outcome
	}{{"kept", r.Kept}, {"summarised", r.Summed}, {"still dropped", r.Dropped}} {
		p.printf("  %-14s %6d  %12s tokens", o.name, o.Count, large(o.Tokens))
		if recovered > 0 {
			p.printf("  %d that had to be recovered", o.Recovered)
		}
		p.printf("\n")
	}
	if stay := r.Kept.Count + r.Summed.Count; stay > 0 {
		p.printf("%s would not have been dropped: up to %s more tokens in the window", count(stay, "chunk"), large(r.Kept.Tokens+r.Summed.Tokens))
		if recovered > 0 {
			p.printf(", and %d of %d mistakes fewer", r.Kept.Recovered+r.Summed.Recovered, recovered)
		}
		p.printf("\n")
	}
	for _, o := range r.Otherwise {
		p.printf("not scored: %d dropped as %s, whatever their score\n", o.Count, orNone(o.Reason, 60))
	}
	for _, o := range []struct {
		n   int
		why string
	}{
		{r.Partless, "not scored: %d whose line lacks the parts of their score\n"},
		{r.Doubtful, "not scored: %d whose logged score differs from the sum of its parts\n"},
		{r.Blind, "%d had a similarity below MEMFAS_MIN_SCORE, which is not logged: it counts as 0\n"},
	} {
		if o.n > 0 {
			p.printf(o.why, o.n)
		}
	}
	p.printReplayed(r)
	p.printf("The logs do not hold what was kept, so what else these knobs would drop is not known.\n")
}

// changedKnobs returns the settings of k that differ from now.
func changedKnobs(k, now schema.Knobs) string {
	var changed []string
	for _, name := range scoring(k) {
		this, _ := k.Get(name)
		that, _ := now.Get(name)
		if this != that {
			changed = append(changed, fmt.Sprintf("%s=%s instead of %s", name, this, that))
		}
	}
	if len(changed) == 0 {
		return "the current knobs"
	}
	return strings.Join(changed, ", ")
}

// printReplayed prints the chunks that would have stayed, beginning with those that were recovered
// later.
func (p *program) printReplayed(r health.Replay) {
	const most = 20
	var missed, others []health.Replayed
	for _, c := range r.Chunks {
		switch {
		case c.Verdict == health.Drops:
		case c.Recovered:
			missed = append(missed, c)
		default:
			others = append(others, c)
		}
	}
	stay := append(missed, others...)
	var lines strings.Builder
	for _, c := range stay[:min(len(stay), most)] {
		fmt.Fprintf(&lines, "%s  score %.3f -> %.3f  %s", short(c.ID, 60), c.Then, c.Now, c.Verdict)
		if c.Tokens > 0 {
			fmt.Fprintf(&lines, "  %s", count(int(c.Tokens), "token"))
		}
		if c.Recovered {
			lines.WriteString("  had to be recovered")
		}
		lines.WriteByte('\n')
	}
	p.printLines(lines.String())
	if more := len(stay) - most; more > 0 {
		p.printf("and %d more; --format json has all\n", more)
	}
}
