package compact

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// A Mark says on the summary line how far Relevance went without a Budget: what
// it kept then it keeps until something is said, or asked otherwise. By scores
// alone it would not, for a word that all say that is left tells little.
type Mark struct {
	Level    string `json:"level"`
	By       string `json:"by"`       // digest of the prompt and the knobs
	Messages int    `json:"messages"` // that stayed
}

// mark is the Mark of what was decided.
func (t *talk) mark(level int) *Mark {
	m := &Mark{Level: levels[level], By: t.by()}
	for i := range t.messages {
		if t.messages[i].verdict == Kept {
			m.Messages++
		}
	}
	return m
}

// by is what scores and thresholds hang on but for the messages and the time.
func (t *talk) by() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %v", t.prompt, t.o.Knobs))
	return hex.EncodeToString(sum[:8])
}

// settledAt says whether the talk stands as a compaction left it that went as far
// as a level.
func (t *talk) settledAt(level int) bool {
	first := t.messages[0]
	if first.kind != Summary || len(first.Metadata) == 0 {
		return false
	}
	var in struct {
		Compaction struct {
			Mark Mark `json:"relevance"`
		} `json:"compaction"`
	}
	if json.Unmarshal(first.Metadata, &in) != nil {
		return false
	}
	m := in.Compaction.Mark
	return m.Messages == len(t.messages)-1 && m.By == t.by() && slices.Index(levels[:], m.Level) >= level
}
