package query

import (
	"cmp"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/assemble"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/internal/session"
)

// mostCold is how many chunks of cold storage a prompt is offered.
const mostCold = 20

// recalledCold is what cold storage has that answers words: what left the
// conversation is not forgotten. It leaves out what the prompt does not need by
// MEMFAS_MIN_SCORE, and copies of what came back once.
func recalledCold(tree *fs.Tree, words string) ([]assemble.Recalled, error) {
	set, err := knobs.Read(tree)
	if err != nil {
		return nil, err
	}
	found, err := cold.Recover(tree, words, mostCold)
	if err != nil {
		return nil, err
	}
	var all []assemble.Recalled
	for _, f := range engine.WithoutCopies(found) {
		if f.Match < set.MemfasMinScore {
			continue
		}
		m, _ := session.Left(f.Chunk)
		all = append(all, assemble.Recalled{
			ID: f.ChunkID, From: "cold storage of " + f.SessionID, Date: cmp.Or(m.Timestamp, f.Timestamp),
			Speaker: cmp.Or(m.Agent, "unknown"), Text: f.Content, At: int(f.Line), Score: f.Match,
		})
	}
	return all, nil
}

// alike gives what comes from cold storage scores by the measure of what else was
// recalled: those two measures meet in the best of each, which are compared with
// each other.
func alike(words string, recalled, others []assemble.Recalled) {
	if len(recalled) == 0 || len(others) == 0 {
		return
	}
	match := relevance.Compare(words, []relevance.Text{
		{Content: recalled[0].Speaker + ": " + recalled[0].Text, Session: "recalled"},
		{Content: others[0].Speaker + ": " + others[0].Text, Session: "cold"},
	})
	if match[0].Similarity == 0 || others[0].Score == 0 {
		return
	}
	scale := recalled[0].Score * match[1].Similarity / match[0].Similarity / others[0].Score
	for i := range others {
		others[i].Score *= scale
	}
}
