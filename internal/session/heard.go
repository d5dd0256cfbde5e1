package session

import (
	"bytes"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// heardMark is the metadata of a message that a hook recorded.
const heardMark = `{"source":"hook"}`

// MarkHookMessage marks m as recorded by an agent's hook at the time it was said. The
// transcript of the agent has the same message under another id; a marked message is
// recognized in it by its speaker, its time and its text.
func MarkHookMessage(m *schema.Message) { m.Metadata = []byte(heardMark) }

// near is the largest difference between the times that a hook and a transcript give to one
// message: both record it at once, some to the minute only.
const near = 2 * time.Minute

// An utterance is a message in a form for comparisons.
type utterance struct {
	role, session, text string
	at                  time.Time // zero if the message has no time
}

// utteranceOf returns the utterance in m; text is "" for messages that no hook records, such
// as tools and summaries.
func utteranceOf(m *schema.Message) utterance {
	u := utterance{role: m.Role, session: m.Session}
	if m.Role != "user" && m.Role != "assistant" || m.Kind != "" || m.ToolName != "" {
		return u
	}
	masked, _ := secret.Mask(m.Content)
	u.text = plain(masked)
	u.at, _ = schema.ParseTime(m.Timestamp)
	return u
}

// plain returns text without spaces and invisible characters, which differ between hooks and
// transcripts.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, text)
}

// timeBetween returns the time between u, from a transcript, and a message of a hook in the same
// words; it returns more than near if they are two messages.
func (u *utterance) timeBetween(heard *utterance) time.Duration {
	switch {
	case u.role != heard.role || u.session != "" && heard.session != "" && u.session != heard.session:
		return near + 1
	case u.at.IsZero() || heard.at.IsZero():
		return 0
	}
	return u.at.Sub(heard.at).Abs()
}

// heardAlready returns those messages of in, by index, that hooks recorded in the
// conversation src. Each recorded message stands for one: either for one message, or for all
// messages of an agent in a turn. known reports whether a message of an id exists.
func heardAlready(src []byte, in []schema.Message, known func(id string) bool) map[int]bool {
	if !bytes.Contains(src, []byte(`"hook"`)) {
		return nil
	}
	heard := map[string][]*utterance{} // by text
	for _, line := range Read(src) {
		if line.Err != nil || !wasHeard(line.Message) {
			continue
		}
		if u := utteranceOf(line.Message); u.text != "" {
			heard[u.text] = append(heard[u.text], &u)
		}
	}
	already := map[int]bool{}
	take := func(u utterance, these ...int) {
		best, least := -1, near+1
		for i, h := range heard[u.text] {
			if apart := u.timeBetween(h); apart < least {
				best, least = i, apart
			}
		}
		if best < 0 {
			return
		}
		heard[u.text] = slices.Delete(heard[u.text], best, best+1)
		for _, at := range these {
			already[at] = true
		}
	}
	said := make([]utterance, len(in))
	for i := range in {
		if said[i].role = in[i].Role; len(heard) > 0 && !known(in[i].ID) {
			said[i] = utteranceOf(&in[i])
		}
	}
	for _, turn := range turnsOf(said) {
		whole := said[turn[len(turn)-1]]
		whole.text = ""
		for _, i := range turn {
			whole.text += said[i].text
		}
		take(whole, turn...)
	}
	for i, u := range said {
		if u.text != "" && !already[i] {
			take(u, i)
		}
	}
	return already
}

// wasHeard reports whether m bears the mark of MarkHookMessage.
func wasHeard(m *schema.Message) bool {
	if len(m.Metadata) == 0 {
		return false
	}
	doc, err := jsonedit.Parse(m.Metadata)
	if err != nil {
		return false
	}
	source, _ := doc.Str(doc.Find("/source"))
	return source == "hook"
}

// turnsOf returns the turns in which an agent has several messages, as the indexes of these.
func turnsOf(said []utterance) (all [][]int) {
	var turn []int
	end := func() {
		if len(turn) > 1 {
			all = append(all, turn)
		}
		turn = nil
	}
	for i, u := range said {
		switch {
		case u.role == "user":
			end()
		case u.role == "assistant" && u.text != "":
			turn = append(turn, i)
		}
	}
	end()
	return all
}
