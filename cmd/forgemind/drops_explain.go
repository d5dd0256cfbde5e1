package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/schema"
)

// explainDrop prints how the score of a dropped chunk was computed.
func (p *program) explainDrop(c *cli.Context, tree *fs.Tree, logs health.Logs) error {
	id := c.String("explain")
	chunk, err := cold.Get(tree, id)
	if err != nil && !errors.Is(err, cold.ErrUnknown) {
		return err
	}
	drop, times := lastDrop(logs, id)
	if times == 0 {
		drop = ofChunk(chunk)
	}
	if times == 0 && err != nil || c.IsSet("session") && drop.SessionID != c.String("session") {
		return unknownDrop(tree, logs, id)
	}
	set, err := knobs.Read(tree)
	if err != nil {
		return err
	}
	var back []schema.LogRecovery
	for _, r := range logs.Recoveries {
		if r.ChunkID == id {
			back = append(back, r)
		}
	}
	e := health.Explain(drop, chunk, set.Knobs, back)
	e.Compaction = compactionOf(logs, drop)
	if wantsJSON(c) {
		return p.printJSON("drop", e)
	}
	p.printExplained(e, times)
	return nil
}

// lastDrop returns the last line of a chunk in the log, and the number of its lines.
func lastDrop(logs health.Logs, id string) (drop schema.LogDrop, times int) {
	for _, d := range logs.Drops {
		if d.ChunkID == id && id != "" {
			drop, times = d, times+1
		}
	}
	return drop, times
}

// compactionOf returns the strategy or the knob that caused the compaction of a drop, or "" if the
// log does not have it.
func compactionOf(logs health.Logs, drop schema.LogDrop) string {
	for _, c := range logs.Compactions {
		if c.Timestamp == drop.Timestamp {
			return c.ConfigUsed
		}
	}
	return ""
}

// ofChunk returns the log line of a chunk, made from the chunk if the log has none.
func ofChunk(c schema.Chunk) schema.LogDrop {
	return schema.LogDrop{
		Timestamp: c.Timestamp, ChunkID: c.ChunkID, SessionID: c.SessionID, Reason: c.DropReason, RelevanceScore: c.RelevanceScore,
		Similarity: c.Similarity, Hours: c.Hours, Important: c.Important, Tokens: c.Tokens,
	}
}

func unknownDrop(tree *fs.Tree, logs health.Logs, id string) error {
	var ids []string
	for _, d := range logs.Drops {
		ids = append(ids, d.ChunkID)
	}
	if all, _, err := cold.List(tree); err == nil {
		for _, c := range all {
			ids = append(ids, c.ChunkID)
		}
	}
	return withHint(missing(fmt.Sprintf("chunk %q was not dropped, according to the logs and cold storage", short(id, 80))),
		"%s", didYouMean(id, ids, "'forgemind drops' lists dropped chunks"))
}

// printExplained prints how a score was computed.
func (p *program) printExplained(e health.Explained, times int) {
	var about []string
	if e.Timestamp != "" {
		about = append(about, "dropped "+e.Timestamp)
	}
	if times > 1 {
		about = append(about, fmt.Sprintf("the last of %d times", times))
	}
	if e.SessionID != "" {
		about = append(about, "session "+e.SessionID)
	}
	if e.Tokens > 0 {
		about = append(about, count(int(e.Tokens), "token"))
	}
	p.printf("%s%s\n", inline(e.ID), bracketed(about))
	p.printf("reason     %s\n", orNone(e.Reason, 200))
	if e.Compaction != "" {
		p.printf("compacted  by %s\n", short(e.Compaction, 200))
	}
	switch {
	case e.Compared:
		p.printTerms(e)
	case e.Score == nil:
		p.printf("score      none: no comparison with a prompt\n")
	default:
		p.printf("score      %.3f; no comparison with a prompt: only strategy relevance compares\n", *e.Score)
	}
	if e.Prompt != "" {
		p.printf("prompt     %s\n", short(e.Prompt, 300))
	}
	var words []string
	for _, w := range e.Words {
		words = append(words, fmt.Sprintf("%s (%s)", short(w.Word, 40), tenths(w.Share)+" %"))
	}
	switch {
	case len(words) > 0:
		p.printf("words      %s\n", strings.TrimSpace(fill(words, ", ", "           ", p.width()-1)))
	case e.Prompt != "" && e.Compared:
		p.printf("words      none in common with the prompt\n")
	}
	for i, way := range e.Keep {
		p.printf("%-10s %s\n", map[bool]string{true: "to keep it"}[i == 0], way)
	}
	for _, r := range e.Recovered {
		how := "by hand"
		if r.Trigger == "automatic" {
			how = "by itself"
		}
		p.printf("recovered  %s, %s", inline(r.Timestamp), how)
		if r.Prompt != "" {
			p.printf(", for %q", short(r.Prompt, 100))
		}
		p.printf("\n")
	}
	if len(e.Recovered) == 0 {
		p.printf("recovered  never\n")
	}
}

// printTerms prints a score as a sum.
func (p *program) printTerms(e health.Explained) {
	for _, t := range e.Terms {
		p.printf("%-10s %.3f x %v %s", t.Name, t.Value, t.Weight, t.Knob)
		p.printf(" / %v = %.3f", thousandth(e.Weight), float64(t.Points)/1000)
		if t.Name == "recency" {
			p.printf("   (%v hours old; it halves every 6)", thousandth(e.Hours))
		}
		p.printf("\n")
	}
	points := 0
	for _, t := range e.Terms {
		points += t.Points
	}
	p.printf("score      %.3f", float64(points)/1000)
	switch {
	case e.Threshold > 0 && e.Score != nil && *e.Score < e.Threshold:
		p.printf(", below RELEVANCE_CUTOFF %v", e.Threshold)
	case e.Threshold > 0 && e.Score != nil:
		p.printf(", not below RELEVANCE_CUTOFF %v: it was dropped for another reason", e.Threshold)
	}
	p.printf("\n")
	if !e.Honest {
		said := "nothing"
		if e.Score != nil {
			said = fmt.Sprintf("%.3f", *e.Score)
		}
		p.printf("           the log says %s; it differs from the sum of these parts", said)
		if !e.Logged {
			p.printf(" with the current knobs; those of that time are not in the log")
		}
		p.printf("\n")
	} else if !e.Logged {
		p.printf("           with the current knobs; those of that time are not in the log\n")
	}
}
