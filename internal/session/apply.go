package session

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// Apply executes a Plan that was made for Messages(lines), where lines is Read(src). The new
// conversation is a summary line, then the kept messages in the order of the Plan, then the lines
// that are no messages in their order. Each line keeps its bytes and ends with a newline. An
// incomplete last line stays last and incomplete; the next append handles it. The lines that leave
// are in chunks, several for a long message. The caller must put the chunks into cold storage
// before out replaces src.
//
// An empty Plan changes nothing. The same arguments give the same bytes.
func Apply(src []byte, lines []Line, plan compact.Plan, about Compaction) (out []byte, chunks []schema.Chunk, err error) {
	if plan.Empty() {
		return src, nil, nil
	}
	whole, state := jsonedit.Tail(src)
	if state == jsonedit.Torn {
		lines = lines[:len(lines)-1]
	}
	body, torn := src[:whole], src[whole:]
	verdicts, err := match(lines, plan)
	if err != nil {
		return nil, nil, err
	}
	if about.ID == "" {
		about.ID = CompactionID(src, plan)
	}
	about.Mark = plan.Mark
	about.Lines, about.SHA256, about.Kept, about.Digests = len(lines), digest(body), []int{}, nil
	about.Unterminated = state == jsonedit.Unterminated
	about.Marked = bytes.HasPrefix(body, []byte(bom))
	kept := make([]byte, 0, len(src))
	keep := func(line Line) {
		about.Kept = append(about.Kept, line.At)
		about.Digests = append(about.Digests, lineDigest(line.Raw))
		kept = append(append(kept, line.Raw...), '\n')
	}
	for _, v := range verdicts {
		if v.Verdict == compact.Kept {
			keep(v.line)
			continue
		}
		chunk, err := chunkOf(v, plan, about)
		if err != nil {
			return nil, nil, err
		}
		chunks = append(chunks, inPieces(chunk)...)
	}
	for _, line := range lines {
		if line.Err != nil {
			keep(line)
		}
	}
	head, err := summaryLine(headTime(verdicts, plan), plan, about)
	if err != nil {
		return nil, nil, err
	}
	out = append(append(head, '\n'), kept...)
	return append(out, torn...), chunks, nil
}

// A verdict is a step of a plan with its line.
type verdict struct {
	compact.Step
	line Line
}

// match finds the line of each step. It returns an error unless the plan has every message exactly
// once.
func match(lines []Line, plan compact.Plan) ([]verdict, error) {
	var messages []Line
	for _, line := range lines {
		if line.Err == nil {
			messages = append(messages, line)
		}
	}
	if len(plan.Steps) != len(messages) {
		return nil, fmt.Errorf("the plan is for %d messages, the conversation has %d", len(plan.Steps), len(messages))
	}
	seen := make([]bool, len(messages))
	verdicts := make([]verdict, len(messages))
	for i, step := range plan.Steps {
		if step.Index < 0 || step.Index >= len(messages) || seen[step.Index] {
			return nil, fmt.Errorf("the plan speaks of message %d twice, or there is none", step.Index)
		}
		seen[step.Index] = true
		verdicts[i] = verdict{step, messages[step.Index]}
	}
	return verdicts, nil
}

// chunkOf returns the chunk for a message, with the reason why it left.
func chunkOf(v verdict, plan compact.Plan, about Compaction) (schema.Chunk, error) {
	m := v.line.Message
	raw, err := verbatim(v.line.Raw)
	if err != nil {
		return schema.Chunk{}, fmt.Errorf("message %s: %w", text.Quote(m.ID, maxQuoted), err)
	}
	chunk := schema.Chunk{
		ChunkID:   chunkID(about.ID, v.line.At, v.line.Raw),
		SessionID: about.Session, Timestamp: cmp.Or(about.At, timeOf(plan)), Content: m.Content,
		Tokens: schema.Int(max(v.Tokens, 0)), Counter: about.Counter,
		DropReason: v.Reason, RelevanceScore: min(max(v.Score, 0), 1), PromptAtDrop: about.Prompt, RecoverableUntil: about.RecoverableUntil,
		Message: raw, Line: schema.Int(v.line.At), MessageID: m.ID,
	}
	if p := v.Parts; p != nil {
		chunk.Similarity, chunk.Hours, chunk.Important = new(ratio(p.Similarity)), new(hours(p.Hours)), p.Important
	}
	if math.IsNaN(v.Score) {
		chunk.RelevanceScore = 0
	}
	return chunk, nil
}

// chunkID returns the id of the chunk for line number at of the conversation.
func chunkID(compaction string, at int, raw []byte) string {
	return schema.DerivedID("chunk-", fmt.Appendf(nil, "%s %d %s", compaction, at, raw))
}

// ratio and hours return a figure in the form of chunks, with three decimals. Values that JSON
// cannot express become 0.
func ratio(f float64) float64 { return min(hours(f), 1) }

func hours(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return max(0, math.Round(1000*f)/1000)
}

// verbatim returns a line as a JSON value from which it can be restored exactly: the object itself
// if encoding it changes nothing, and else a string.
func verbatim(raw []byte) (json.RawMessage, error) {
	if line, err := jsonedit.Value(json.RawMessage(raw)); err == nil && bytes.Equal(line, raw) {
		return raw, nil
	}
	return jsonedit.Value(string(raw))
}

// headTime returns the time of the summary. It is that of the last message that left, but not later
// than any kept message, because the summary precedes them.
func headTime(verdicts []verdict, plan compact.Plan) string {
	at := timeOf(plan)
	least, _ := schema.ParseTime(at)
	for _, v := range verdicts {
		t, err := schema.ParseTime(v.line.Message.Timestamp)
		if v.Verdict == compact.Kept && err == nil && t.Before(least) {
			at, least = v.line.Message.Timestamp, t
		}
	}
	return at
}

// summaryLine returns the line that replaces the messages that left.
func summaryLine(at string, plan compact.Plan, about Compaction) ([]byte, error) {
	metadata, err := jsonedit.Value(struct {
		Compaction Compaction `json:"compaction"`
	}{about})
	if err != nil {
		return nil, err
	}
	tokens := plan.TokensAfter
	for _, step := range plan.Steps {
		if step.Verdict == compact.Kept {
			tokens -= step.Tokens
		}
	}
	m := schema.Message{
		ID: schema.DerivedID("msg-", []byte(about.ID)), Timestamp: at, Agent: "forgemind", Role: "system", Kind: "summary",
		Content: plan.Summary, Session: about.Session, Metadata: metadata,
	}
	if tokens > 0 {
		m.Tokens, m.Counter = schema.Int(tokens), about.Counter
	}
	return Encode(m)
}

// timeOf returns the time of the last message that left, or the first time of all messages if none
// of those has one.
func timeOf(plan compact.Plan) string {
	for _, t := range []string{plan.To, plan.From} {
		if _, err := schema.ParseTime(t); err == nil {
			return t
		}
	}
	return schema.FormatTime(time.Unix(0, 0))
}
