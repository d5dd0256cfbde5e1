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

// mostCold limits the chunks of cold storage among the candidates for a prompt.
const mostCold = 20

// recalledCold returns the chunks of cold storage that match words. It leaves out those with a
// score below MEMFAS_MIN_SCORE, and copies of chunks that were recovered.
func recalledCold(tree *fs.Tree, words string) ([]assemble.Recalled, error) {
	set, err := knobs.Read(tree)
	if err != nil {
		return nil, err
	}
	found, err := cold.Recover(tree, words, 4*mostCold) // tool outputs may come before the rest
	if err != nil {
		return nil, err
	}
	var all []assemble.Recalled
	found = engine.TalkFirst(engine.WithoutCopies(found))
	for _, f := range found[:min(len(found), mostCold)] {
		if f.Match < set.MemfasMinScore {
			continue
		}
		m, _ := session.MessageOfChunk(f.Chunk)
		all = append(all, assemble.Recalled{
			ID: f.ChunkID, From: "cold storage of " + f.SessionID, Date: cmp.Or(m.Timestamp, f.Timestamp),
			Speaker: cmp.Or(m.Agent, "unknown"), Text: f.Content, At: int(f.Line), Score: f.Match,
		})
	}
	return all, nil
}

// alike scales the scores of chunks of cold storage to those of the other recalled texts: the
// best of each are rated by one measure, which relates the two.
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
