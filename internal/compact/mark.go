package compact

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// A Mark records on the summary line the level that Relevance reached without a Budget.
// Messages kept then are kept until there is a new message or another prompt. Without
// the Mark, scores would drop them, because the words that all remaining messages share
// count little.
type Mark struct {
	Level    string `json:"level"`
	By       string `json:"by"`       // digest of the prompt and the knobs
	Messages int    `json:"messages"` // that stayed
}

// mark returns the Mark of the decisions.
func (t *talk) mark(level int) *Mark {
	m := &Mark{Level: levels[level], By: t.by()}
	for i := range t.messages {
		if t.messages[i].verdict == Kept {
			m.Messages++
		}
	}
	return m
}

// by returns the options on which scores and thresholds depend, without the messages
// and the time.
func (t *talk) by() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %v", t.prompt, t.o.Knobs))
	return hex.EncodeToString(sum[:8])
}

// settledAt reports whether the talk is unchanged since a compaction that reached the
// level.
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
