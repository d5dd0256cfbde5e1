package state

import (
	"math"
	"time"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

const (
	artifacts      = "/loaded_artifacts"
	otherTokens    = window + "/other_tokens"
	messagesTokens = otherTokens + "/" + messages
	unattributed   = "unattributed"
	messages       = "messages"
)

// SetMessageTokens records the tokens of the conversation in other_tokens.messages, and changes
// used_tokens by the difference.
//
// A State without that member may count the conversation in other_tokens.unattributed or only in
// used_tokens. So the first value is taken from the tokens that nothing else in the window accounts
// for, as far as they reach, and only the rest is added to used_tokens. For correct figures record
// the tokens before a compaction and after it. Nothing is recorded if there was no conversation, or
// if the State has no used_tokens.
func SetMessageTokens(src []byte, tokens int) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	before, recorded := figure(doc, messagesTokens)
	_, counts := figure(doc, window+"/used_tokens")
	if !counts || !recorded && tokens <= 0 {
		return src, nil
	}
	changes := []member{{messagesTokens, max(tokens, 0)}}
	if !recorded {
		before = math.Min(unassignedTokens(doc), float64(tokens))
		if rest, ok := figure(doc, otherTokens+"/"+unattributed); ok {
			changes = append(changes, member{otherTokens + "/" + unattributed, math.Max(0, rest-before)})
		}
	}
	if src, err = put(src, changes...); err != nil {
		return nil, err
	}
	return moveUsed(src, float64(max(tokens, 0))-before)
}

// Compacted records a compaction at a time, after which the conversation has the given tokens by
// counter. See SetMessageTokens.
func Compacted(src []byte, at time.Time, tokens int, counter string) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	if doc.Find(window) < 0 {
		return src, nil
	}
	times, _ := figure(doc, window+"/compressions_this_session")
	changes := []member{
		{window + "/last_compaction", schema.FormatTime(at)},
		{window + "/compressions_this_session", times + 1},
	}
	if counter != "" {
		changes = append(changes, member{window + "/counter", counter})
	}
	if src, err = put(src, changes...); err != nil {
		return nil, err
	}
	return SetMessageTokens(src, tokens)
}

// LiveUsage returns the usage of the window, in tokens and in percent, with messageTokens in place
// of the recorded tokens of the conversation; see SetMessageTokens. If messageTokens is negative,
// it returns the recorded usage.
func LiveUsage(s schema.State, messageTokens int) (used int, percent float64) {
	w := s.ContextWindow
	if w == nil {
		return 0, 0
	}
	if messageTokens < 0 {
		return int(w.UsedTokens), w.UsagePercent
	}
	before, recorded := w.OtherTokens[messages]
	if !recorded {
		known := schema.Int(0)
		for name, n := range w.OtherTokens {
			if name != unattributed {
				known += n
			}
		}
		for _, a := range s.LoadedArtifacts {
			if a.Loaded {
				known += a.Tokens
			}
		}
		before = min(max(w.UsedTokens-known, 0), schema.Int(messageTokens))
	}
	used = max(int(w.UsedTokens-before)+messageTokens, 0)
	if w.TotalTokens <= 0 {
		return used, w.UsagePercent
	}
	return used, usage(float64(used), float64(w.TotalTokens))
}

// usage returns a percentage rounded to one decimal.
func usage(used, total float64) float64 { return math.Round(1000*used/total) / 10 }

// unassignedTokens returns the used tokens that belong neither to a loaded artifact nor to a member of
// other_tokens.
func unassignedTokens(doc *jsonedit.Doc) float64 {
	rest, _ := figure(doc, window+"/used_tokens")
	rest -= loadedTokens(doc)
	if other := doc.Find(otherTokens); other >= 0 && doc.Nodes[other].Kind == jsonedit.Object {
		for i := range doc.Children(other) {
			if n, ok := doc.Float(i); ok && doc.Key(i) != unattributed {
				rest -= n
			}
		}
	}
	return math.Max(0, rest)
}

// loadedTokens returns the tokens of the loaded artifacts.
func loadedTokens(doc *jsonedit.Doc) float64 {
	sum := 0.0
	artifacts := doc.Find(artifacts)
	if artifacts < 0 {
		return 0
	}
	for i := range doc.Children(artifacts) {
		if l := doc.Member(i, "loaded"); l < 0 || doc.Nodes[l].Kind != jsonedit.True {
			continue
		}
		if t := doc.Member(i, "tokens"); t >= 0 {
			n, _ := doc.Float(t)
			sum += n
		}
	}
	return sum
}

// moveUsed adds to used_tokens, which does not become negative, and updates the figures that depend
// on it.
func moveUsed(src []byte, by float64) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	used, ok := figure(doc, window+"/used_tokens")
	if !ok {
		return src, nil
	}
	if src, err = put(src, member{window + "/used_tokens", math.Max(0, used+by)}); err != nil {
		return nil, err
	}
	return MendWindow(src)
}
