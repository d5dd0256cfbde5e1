package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Compaction is what became of a conversation, as the summary line says that
// stands at its head since, under `compaction` in the metadata.
type Compaction struct {
	ID      string `json:"id"`
	Session string `json:"session"` // that cold storage files it under
	// What Apply works out, for Undo.
	Lines        int           `json:"lines"`                  // of the conversation before, without a torn last one
	Kept         []int         `json:"kept"`                   // the numbers that the lines behind the summary had, from 0, in their order now
	Digests      []string      `json:"digests,omitempty"`      // of these lines, see lineDigest; older versions wrote none
	SHA256       string        `json:"sha256"`                 // of the conversation before, without a torn last line
	Unterminated bool          `json:"unterminated,omitempty"` // its last line had no newline
	Marked       bool          `json:"bom,omitempty"`          // it began with a byte order mark
	Mark         *compact.Mark `json:"relevance,omitempty"`
	// What the chunks say, and the summary line does not.
	Counter          string `json:"-"` // what counted the tokens
	Prompt           string `json:"-"` // what relevance was judged against
	At               string `json:"-"` // the time of the drop; "" is that of the last message that left
	RecoverableUntil string `json:"-"` // a time; "" is for ever
}

// CompactionID is the id of the compaction of src by plan: the same for the
// same, another where either differs.
func CompactionID(src []byte, plan compact.Plan) string {
	h := sha256.New()
	fmt.Fprintf(h, "%x\n%s\n", sha256.Sum256(src), plan.Summary)
	for _, step := range plan.Steps {
		fmt.Fprintf(h, "%d %s %s\n", step.Index, step.Verdict, step.Reason)
	}
	return schema.DerivedID("compaction-", h.Sum(nil))
}

// LastCompaction is the newest compaction of a conversation, which the line at
// its head tells of. False: there is none that could be taken back.
func LastCompaction(lines []Line) (Compaction, bool) {
	if len(lines) == 0 || lines[0].Err != nil {
		return Compaction{}, false
	}
	return compactionOf(*lines[0].Message)
}

// compactionOf returns the compaction that m is the summary of, if it is one.
func compactionOf(m schema.Message) (Compaction, bool) {
	if m.Kind != "summary" || len(m.Metadata) == 0 {
		return Compaction{}, false
	}
	var in struct {
		Compaction Compaction `json:"compaction"`
	}
	if jsonedit.Decode(m.Metadata, &in) != nil || !schema.ValidID(in.Compaction.ID) {
		return Compaction{}, false
	}
	return in.Compaction, true
}

// isTakenBack reports whether a conversation begins as it was before the compaction.
func (c Compaction) isTakenBack(conversation []byte) bool {
	end := 0
	for range c.Lines {
		line := bytes.IndexByte(conversation[end:], '\n')
		if line < 0 {
			end = len(conversation)
			break
		}
		end += line + 1
	}
	before := conversation[:end]
	if c.Unterminated {
		before = bytes.TrimSuffix(before, []byte("\n"))
	}
	return c.ID != "" && digest(before) == c.SHA256
}

// IsCompaction reports whether m stands for what a compaction removed from the
// conversation.
func IsCompaction(m schema.Message) bool {
	_, is := compactionOf(m)
	return is
}

// lineDigest identifies a kept line wherever it stands later: the first 32 bits of
// its SHA-256, in hexadecimal.
func lineDigest(raw []byte) string { return digest(raw)[:8] }

// digest is what a Compaction says of the bytes before.
func digest(src []byte) string {
	sum := sha256.Sum256(src)
	return hex.EncodeToString(sum[:])
}
