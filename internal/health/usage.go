package health

import (
	"math"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// A Reported is the size of a request as reported by an agent, with the Content counted
// at that moment, so that later growth can be added.
type Reported struct {
	transcript.Usage
	Conversation string `json:"conversation"`         // the file that it was about
	Compaction   string `json:"compaction,omitempty"` // the id of the last that was made of it
	Counted      int    `json:"counted"`              // tokens, see Content
}

// ReadReported returns the last report. It returns nil if there is none, or if it is no
// longer valid because talk is another conversation or was compacted since.
func ReadReported(r fs.Reader, talk session.Tally) *Reported {
	for _, folder := range []string{fs.Forgemind, fs.Quaid} {
		var u Reported
		src, err := r.Read(fs.LocalName(folder, fs.UsageFile))
		if err != nil || jsonedit.Decode(src, &u) != nil || u.Tokens <= 0 || u.Tokens > transcript.MaxUsage || u.Limit < 0 {
			continue
		}
		if u.Conversation == talk.Name && u.Compaction == talk.Compaction {
			return &u
		}
	}
	return nil
}

// Keep stages u in place of the previous report.
func (u Reported) Keep(tx *fs.Tx, home string) error {
	text, err := jsonedit.Marshal(u)
	if err != nil {
		return err
	}
	tx.Write(fs.LocalName(home, fs.UsageFile), text)
	return nil
}

// Forget stages the removal of the report, because the window became smaller since.
func Forget(tx *fs.Tx) {
	for _, folder := range []string{fs.Forgemind, fs.Quaid} {
		if _, err := tx.Read(fs.LocalName(folder, fs.UsageFile)); err == nil {
			tx.Remove(fs.LocalName(folder, fs.UsageFile))
		}
	}
}

// Now returns the size of the request now; counted is the present Content. Content that
// left the tree's documents since is not subtracted: the agent still has it until its
// next report.
func (u *Reported) Now(counted int) int { return u.Tokens + max(0, counted-u.Counted) }

// A Live is the usage of the context window now.
type Live struct {
	Used, Total int     // tokens; Total is 0 if the size is unknown
	Percent     float64 // one decimal at most
	Reported    *Reported
}

// LiveUsage returns the usage of the State's window with the conversation talk, or the
// State's own figures if there is no conversation. It uses the agent's report unless
// reported is nil. Conditions, commands and reports use this value.
func LiveUsage(s schema.State, talk session.Tally, reported *Reported) Live {
	var live Live
	live.Used, live.Percent = state.LiveUsage(s, talkTokens(talk))
	if s.ContextWindow != nil {
		live.Total = int(s.ContextWindow.TotalTokens)
	}
	return live.as(reported, Content(s, talk))
}

// Content returns the tokens that forgemind itself puts into the window: the
// conversation and the loaded artifacts. The size that an agent reported is assumed to
// have grown by as much as Content since.
func Content(s schema.State, talk session.Tally) int { return loaded(s) + talk.Tokens }

// loaded returns the tokens of the loaded artifacts.
func loaded(s schema.State) (tokens int) {
	for _, a := range s.LoadedArtifacts {
		if a.Loaded {
			tokens += int(a.Tokens)
		}
	}
	return tokens
}

// as returns live with the size that an agent reported; counted is the present Content.
func (live Live) as(reported *Reported, counted int) Live {
	if reported == nil {
		return live
	}
	live.Used, live.Reported = reported.Now(counted), reported
	if reported.Limit > 0 {
		live.Total = reported.Limit
	}
	if live.Total > 0 {
		live.Percent = roundedPercent(live.Used, live.Total)
	}
	return live
}

// SessionUsage is LiveUsage if no State has the size of the window: used are the tokens
// of the session, and talk those of its messages.
func SessionUsage(used, talk, total int, reported *Reported) Live {
	live := Live{Used: used, Total: total, Percent: roundedPercent(used, total)}
	return live.as(reported, talk)
}

// roundedPercent returns the percentage with at most one decimal.
func roundedPercent(used, total int) float64 {
	return math.Round(1000*float64(used)/float64(total)) / 10
}

// talkTokens returns the value of talk for state.LiveUsage.
func talkTokens(talk session.Tally) int {
	if talk.Messages == 0 {
		return -1
	}
	return talk.Tokens
}
