package engine

import (
	"fmt"
	"math"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// mostRecovered limits the chunks that one prompt recovers automatically.
const mostRecovered = 5

// A recoveredFrom is the member of a message that names the chunk it recovered.
type recoveredFrom struct {
	Chunk string  `json:"chunk"`
	Score float64 `json:"score"`
}

// recoverChunks is an action: it adds the chunks of cold storage that the user's last
// prompt needs to the conversation, as messages marked as recovered. A chunk is needed
// if its score, as of a message said now, reaches KEEP_THRESHOLD. It is added if the
// window stays below COMPACTION_TRIGGER_PCT.
func recoverChunks(r *WorkingSet, _ cause) error {
	name, src, err := r.conversation()
	if err != nil {
		return err
	}
	messages := session.Messages(session.Read(src))
	prompt := r.promptOf(messages)
	if prompt == "" {
		return nil
	}
	needed, err := r.neededChunks(prompt, messages)
	if err != nil || len(needed) == 0 {
		return err
	}
	if name != fs.Messages { // messages recovered into a session would be in it twice
		r.addNote(unrecoveredNote("", needed))
		return nil // nothing was recovered, so nothing is logged
	}
	room, known := r.roomLeft()
	if !known {
		r.addNote(unrecoveredNote(", but the size of the window is not known", needed))
		return nil
	}
	var back []schema.Message
	for i, f := range needed {
		m := r.recoveredMessage(f)
		if int(m.Tokens) > room {
			r.addNote(unrecoveredNote(", but the window has no room for it", needed[i:]))
			needed = needed[:i]
			break
		}
		room -= int(m.Tokens)
		line, err := session.Encode(m)
		if err != nil {
			return wrapName(name, err)
		}
		r.tx.Append(name, line)
		back = append(back, m)
	}
	if len(back) == 0 {
		return nil
	}
	if err := r.logRecovered(needed, prompt, automatic); err != nil {
		return err
	}
	return r.countTokens()
}

// neededChunks returns the chunks that a prompt needs and the conversation lacks.
func (r *WorkingSet) neededChunks(prompt string, messages []schema.Message) ([]cold.Found, error) {
	found, err := Find(r.tree.Tree, Recovery{Query: prompt, Limit: 4 * mostRecovered})
	if err != nil {
		return nil, err
	}
	here := map[string]bool{}
	for _, m := range messages {
		here[m.ID], here[recoveredChunk(m)] = true, true
	}
	here[""] = false
	keep := relevance.Thousandths(r.knobs.KeepThreshold)
	var needed []cold.Found
	for _, f := range found {
		score := relevance.Score(r.knobs.Knobs, f.Match, 0, f.Important).Score
		if score < keep || here[f.ChunkID] || here[f.MessageID] || isDerived(f.Chunk) || len(needed) == mostRecovered {
			continue
		}
		needed = append(needed, f)
	}
	return needed, nil
}

// recoveredChunk returns the id of the chunk that a message recovered; "" for none.
func recoveredChunk(m schema.Message) string {
	var said struct {
		Recovered recoveredFrom `json:"recovered"`
	}
	if len(m.Metadata) == 0 || jsonedit.Decode(m.Metadata, &said) != nil {
		return ""
	}
	return said.Recovered.Chunk
}

// isDerived reports whether a chunk is a former message that had recovered another chunk, or a
// summary of messages. Other chunks hold its content.
func isDerived(c schema.Chunk) bool {
	m, ok := session.MessageOfChunk(c)
	return ok && (recoveredChunk(m) != "" || m.Kind == compact.Summary)
}

// recoveredMessage returns the message that recovers a chunk.
func (r *WorkingSet) recoveredMessage(f cold.Found) schema.Message {
	who := "unknown"
	if m, ok := session.MessageOfChunk(f.Chunk); ok && m.Agent != "" {
		who = m.Agent
	}
	about, _ := jsonedit.Value(map[string]recoveredFrom{"recovered": {f.ChunkID, f.Match}})
	m := schema.Message{
		ID:        schema.DerivedID("msg-", []byte("recovered "+f.ChunkID+" "+schema.FormatTime(r.at))),
		Timestamp: schema.FormatTime(r.at), Agent: "forgemind", Role: "system", Kind: "message",
		Content:  fmt.Sprintf("Recovered from cold storage (%s, said by %s):\n%s", f.ChunkID, who, f.Content),
		Metadata: about, Counter: r.tree.counter.Name(),
	}
	m.Tokens = schema.Int(r.tree.counter.Count(m.Content))
	return m
}

// roomLeft returns the tokens that the window has left below COMPACTION_TRIGGER_PCT;
// false if the size of the window is not known.
func (r *WorkingSet) roomLeft() (tokens int, known bool) {
	const rounding = 0.0005 // percentages have one decimal: 49.95 is 50
	o := r.compactOptions()
	below := int(math.Ceil((r.knobs.CompactionTrigger-rounding)*float64(o.Window))) - 1
	return max(0, below-o.Used), o.Window > 0
}

// unrecoveredNote returns a note that names chunks a prompt needs, and why they were
// not recovered.
func unrecoveredNote(why string, found []cold.Found) string {
	var ids []string
	for _, f := range found {
		ids = append(ids, f.ChunkID)
	}
	return fmt.Sprintf("cold storage has chunks for this prompt%s: %s; 'forgemind recover --chunk-id ID' shows one", why, strings.Join(ids, ", "))
}

// recoverForPrompt recovers the chunks that a new user message needs, under the policy
// memfas.
func (r *WorkingSet) recoverForPrompt(added []schema.Message) error {
	if r.promptOf(added) == "" || !r.evaluateFacts(triggers.Facts{triggers.UserPrompted: true}, RecoveryTrigger)[RecoveryTrigger] {
		return nil
	}
	firing := triggers.Firing{Trigger: RecoveryTrigger, Reason: "a user said something", Actions: []string{"recover_chunks"}}
	fired := r.act(cause{Firing: firing}, false)
	if len(fired.Actions[0].Wrote) == 0 && fired.Actions[0].Err == nil {
		return nil
	}
	r.out.Fired = append(r.out.Fired, fired)
	r.memory.markFired(RecoveryTrigger, r.at)
	return nil
}
