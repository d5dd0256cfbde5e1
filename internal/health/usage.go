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

// A Reported is how large an agent said that its request was, and what was
// counted at that moment, so that what came since can be added.
type Reported struct {
	transcript.Usage
	Conversation string `json:"conversation"`         // the file that it was about
	Compaction   string `json:"compaction,omitempty"` // the id of the last that was made of it
	Counted      int    `json:"counted"`              // tokens, see Content
}

// ReadReported reads what was reported last; nil where nothing was, or where it
// no longer holds: it is of another conversation than talk, or of before its
// last compaction.
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

// Keep stages u, in place of what was reported before.
func (u Reported) Keep(tx *fs.Tx, home string) error {
	text, err := jsonedit.Marshal(u)
	if err != nil {
		return err
	}
	tx.Write(fs.LocalName(home, fs.UsageFile), text)
	return nil
}

// Forget stages that nothing was reported: the window was shortened since.
func Forget(tx *fs.Tx) {
	for _, folder := range []string{fs.Forgemind, fs.Quaid} {
		if _, err := tx.Read(fs.LocalName(folder, fs.UsageFile)); err == nil {
			tx.Remove(fs.LocalName(folder, fs.UsageFile))
		}
	}
}

// Now is how large the request is by now. What left the tree's documents since
// is not taken off: the agent has it until it says otherwise.
func (u *Reported) Now(counted int) int { return u.Tokens + max(0, counted-u.Counted) }

// A Live is how full the context window is just now.
type Live struct {
	Used, Total int     // tokens; Total is 0 where nobody says how large it is
	Percent     float64 // one decimal at most
	Reported    *Reported
}

// LiveUsage is how full the State's window is with the conversation that talk
// tells of, or as the State says where there is none; and with what an agent
// reported, unless that is nil. It is what conditions, commands and reports see.
func LiveUsage(s schema.State, talk session.Tally, reported *Reported) Live {
	var live Live
	live.Used, live.Percent = state.LiveUsage(s, talkTokens(talk))
	if s.ContextWindow != nil {
		live.Total = int(s.ContextWindow.TotalTokens)
	}
	return live.as(reported, Content(s, talk))
}

// Content is what forgemind itself brings into the window, in tokens: the
// conversation and the artifacts that are loaded. What an agent reports has
// grown by as much as this has since.
func Content(s schema.State, talk session.Tally) int { return loaded(s) + talk.Tokens }

// loaded is what the loaded artifacts cost, in tokens.
func loaded(s schema.State) (tokens int) {
	for _, a := range s.LoadedArtifacts {
		if a.Loaded {
			tokens += int(a.Tokens)
		}
	}
	return tokens
}

// as is live as an agent reported it; counted is the Content of now.
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

// SessionUsage is LiveUsage where no State says how large the window is: used
// is what the session fills, talk of it is what its messages cost.
func SessionUsage(used, talk, total int, reported *Reported) Live {
	live := Live{Used: used, Total: total, Percent: roundedPercent(used, total)}
	return live.as(reported, talk)
}

// roundedPercent has one decimal at most.
func roundedPercent(used, total int) float64 {
	return math.Round(1000*float64(used)/float64(total)) / 10
}

// talkTokens is what state.LiveUsage is asked with.
func talkTokens(talk session.Tally) int {
	if talk.Messages == 0 {
		return -1
	}
	return talk.Tokens
}
