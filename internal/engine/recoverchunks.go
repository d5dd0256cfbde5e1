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

// mostRecovered is how many chunks a prompt brings back by itself.
const mostRecovered = 5

// A recovered says of a message which chunk of cold storage it brings back.
type recovered struct {
	Chunk string  `json:"chunk"`
	Score float64 `json:"score"`
}

// recoverChunks is the action: chunks of cold storage that the user's last prompt
// needs come back into the conversation, as messages that say what they are. A
// chunk is needed if its score reaches KEEP_THRESHOLD as one that is said now, for
// that is what it becomes; it comes back if that leaves the window below
// COMPACTION_TRIGGER_PCT.
func recoverChunks(r *round, _ *firing) error {
	name, src, err := r.conversation()
	if err != nil {
		return err
	}
	messages := session.Messages(session.Read(src))
	prompt := r.promptOf(messages)
	if prompt == "" {
		return nil
	}
	needed, err := r.needed(prompt, messages)
	if err != nil || len(needed) == 0 {
		return err
	}
	if name != fs.Messages { // a session holds what was said in it and nothing twice
		r.tell(answers("", needed))
		return nil // the log tells of what somebody got back
	}
	room, known := r.roomLeft()
	if !known {
		r.tell(answers(", and nobody says how large the window is", needed))
		return nil
	}
	var back []schema.Message
	for i, f := range needed {
		m := r.bringBack(f)
		if int(m.Tokens) > room {
			r.tell(answers(", and the window has no room for it", needed[i:]))
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
	return r.tally()
}

// needed are the chunks that a prompt needs and the conversation has not.
func (r *round) needed(prompt string, messages []schema.Message) ([]cold.Found, error) {
	found, err := Find(r.tree.Tree, Recovery{Query: prompt, Limit: 4 * mostRecovered})
	if err != nil {
		return nil, err
	}
	here := map[string]bool{}
	for _, m := range messages {
		here[m.ID], here[broughtBack(m)] = true, true
	}
	here[""] = false
	keep := relevance.Thousandths(r.knobs.KeepThreshold)
	var needed []cold.Found
	for _, f := range found {
		score := relevance.Score(r.knobs.Knobs, f.Match, 0, f.Important).Score
		if score < keep || here[f.ChunkID] || here[f.MessageID] || derived(f.Chunk) || len(needed) == mostRecovered {
			continue
		}
		needed = append(needed, f)
	}
	return needed, nil
}

// broughtBack is the chunk that a message brought back; "" for none.
func broughtBack(m schema.Message) string {
	var said struct {
		Recovered recovered `json:"recovered"`
	}
	if len(m.Metadata) == 0 || jsonedit.Decode(m.Metadata, &said) != nil {
		return ""
	}
	return said.Recovered.Chunk
}

// derived says whether a chunk is a message that brought another chunk back, or
// the summary of others, and left again: what it tells is in those.
func derived(c schema.Chunk) bool {
	m, ok := session.Left(c)
	return ok && (broughtBack(m) != "" || m.Kind == compact.Summary)
}

// bringBack is the message that brings a chunk back.
func (r *round) bringBack(f cold.Found) schema.Message {
	who := "unknown"
	if m, ok := session.Left(f.Chunk); ok && m.Agent != "" {
		who = m.Agent
	}
	about, _ := jsonedit.Value(map[string]recovered{"recovered": {f.ChunkID, f.Match}})
	m := schema.Message{
		ID:        schema.DerivedID("msg-", []byte("recovered "+f.ChunkID+" "+schema.FormatTime(r.at))),
		Timestamp: schema.FormatTime(r.at), Agent: "forgemind", Role: "system", Kind: "message",
		Content:  fmt.Sprintf("Recovered from cold storage (%s, said by %s):\n%s", f.ChunkID, who, f.Content),
		Metadata: about, Counter: r.tree.counter.Name(),
	}
	m.Tokens = schema.Int(r.tree.counter.Count(m.Content))
	return m
}

// roomLeft is how many tokens the window has below COMPACTION_TRIGGER_PCT; false
// where its size is not known.
func (r *round) roomLeft() (tokens int, known bool) {
	const rounding = 0.0005 // percentages have one decimal: 49.95 is 50
	o := r.compactOptions()
	below := int(math.Ceil((r.knobs.CompactionTrigger-rounding)*float64(o.Window))) - 1
	return max(0, below-o.Used), o.Window > 0
}

// answers says which chunks a prompt needs that do not come back, and why not.
func answers(why string, found []cold.Found) string {
	var ids []string
	for _, f := range found {
		ids = append(ids, f.ChunkID)
	}
	return fmt.Sprintf("cold storage answers this prompt%s: %s; 'forgemind recover --chunk-id ID' gives one back", why, strings.Join(ids, ", "))
}

// promptSaid recovers what a user's message among those that were added needs, by
// the policy memfas.
func (r *round) promptSaid(added []schema.Message) error {
	if r.promptOf(added) == "" {
		return nil
	}
	for _, f := range r.occur(triggers.Facts{triggers.UserPrompted: true}, recoverAction) {
		f.Reason = "a user said something"
		if err := r.act(f); err != nil {
			return err
		}
	}
	return nil
}
