package session

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Compaction describes a compaction of a conversation. It is stored as `compaction` in the
// metadata of the summary line at the beginning of the conversation.
type Compaction struct {
	ID      string `json:"id"`
	Session string `json:"session"` // session under which cold storage has the chunks
	// The members that Apply computes for Undo.
	Lines        int           `json:"lines"`                  // of the conversation before, without an incomplete last line
	Kept         []int         `json:"kept"`                   // former numbers, from 0, of the lines after the summary, in their order now
	Digests      []string      `json:"digests,omitempty"`      // of these lines, see lineDigest; older versions wrote none
	SHA256       string        `json:"sha256"`                 // of the conversation before, without an incomplete last line
	Unterminated bool          `json:"unterminated,omitempty"` // the last line had no newline
	Marked       bool          `json:"bom,omitempty"`          // the conversation began with a byte order mark
	Mark         *compact.Mark `json:"relevance,omitempty"`
	// Members of the chunks that the summary line does not have.
	Counter          string `json:"-"` // name of the method that counted the tokens
	Prompt           string `json:"-"` // text with which relevance was computed
	At               string `json:"-"` // time of the drop; "" means that of the last message that left
	RecoverableUntil string `json:"-"` // a time; "" means forever
}

// CompactionID returns the id of the compaction of src by plan. Equal arguments give equal ids, and
// different ones give different ids.
func CompactionID(src []byte, plan compact.Plan) string {
	h := sha256.New()
	fmt.Fprintf(h, "%x\n%s\n", sha256.Sum256(src), plan.Summary)
	for _, step := range plan.Steps {
		fmt.Fprintf(h, "%d %s %s\n", step.Index, step.Verdict, step.Reason)
	}
	return schema.DerivedID("compaction-", h.Sum(nil))
}

// LastCompaction returns the newest compaction of a conversation, from its first line. It reports
// false if there is none that could be undone.
func LastCompaction(lines []Line) (Compaction, bool) {
	if len(lines) == 0 || lines[0].Err != nil {
		return Compaction{}, false
	}
	return compactionOf(*lines[0].Message)
}

// compactionOf returns the compaction whose summary m is. It reports false for other messages.
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

// IsCompaction reports whether m is the summary of a compaction.
func IsCompaction(m schema.Message) bool {
	_, is := compactionOf(m)
	return is
}

// lineDigest identifies a kept line wherever it is moved later: the first 32 bits of its SHA-256,
// in hexadecimal.
func lineDigest(raw []byte) string { return digest(raw)[:8] }

// digest returns the SHA-256 of src in hexadecimal.
func digest(src []byte) string {
	sum := sha256.Sum256(src)
	return hex.EncodeToString(sum[:])
}
