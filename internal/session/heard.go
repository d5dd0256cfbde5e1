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

// Heard marks m as told by an agent's hook while it was said. The transcript of
// the agent says it again, under another id: what is so marked is known again then
// by who said what when. files are those that the agent's client names beside it.
func Heard(m *schema.Message, files []string) {
	m.Metadata, _ = jsonedit.Value(struct {
		Source string   `json:"source"`
		Files  []string `json:"context_files,omitempty"`
	}{"hook", files}) // texts
}

// near is how far apart the times may be that a hook and a transcript give to
// what was said once: both tell it at once, some to the minute only.
const near = 2 * time.Minute

// An utterance is something said, as it is compared.
type utterance struct {
	role, session, text string
	reply               bool      // the user answers what a tool asks
	at                  time.Time // zero where it does not say
}

// utteranceOf returns what m says; text is "" for what no hook tells: calls of tools and what
// they gave, summaries.
func utteranceOf(m *schema.Message) utterance {
	u := utterance{role: m.Role, session: m.Session, reply: m.Role == "user" && m.ToolName != ""}
	if m.Role != "user" && m.Role != "assistant" || m.Kind != "" || m.ToolName != "" && !u.reply {
		return u
	}
	masked, _ := secret.Mask(m.Content)
	u.text = plain(masked)
	u.at, _ = schema.ParseTime(m.Timestamp)
	return u
}

// plain is text without spaces and what is not seen, which differ by who tells it.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, text)
}

// apart is how far apart u, from a transcript, and what a hook heard in the same
// words are in time; more than near where they are two.
func (u *utterance) apart(heard *utterance) time.Duration {
	switch {
	case u.role != heard.role || u.session != "" && heard.session != "" && u.session != heard.session:
		return near + 1
	case u.at.IsZero() || heard.at.IsZero():
		return 0
	}
	return u.at.Sub(heard.at).Abs()
}

// heardAlready are the messages of in, by index, that hooks told the conversation
// src while they were said. Each that was heard stands for one: either for one
// message, or for all that an agent says in a turn. known says of an id that it is
// there.
func heardAlready(src []byte, in []schema.Message, known func(id string) bool) map[int]bool {
	if !bytes.Contains(src, []byte(`"hook"`)) {
		return nil
	}
	heard := map[string][]*utterance{} // by what was said
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
			if apart := u.apart(h); apart < least {
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
		if said[i] = utteranceOf(&in[i]); len(heard) == 0 || known(in[i].ID) {
			said[i].text = ""
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

// wasHeard says whether m bears the mark of Heard.
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

// turnsOf are the turns in which an agent says several things, by the indexes of
// these. What the user answers to a tool ends none.
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
		case u.role == "user" && !u.reply:
			end()
		case u.role == "assistant" && u.text != "":
			turn = append(turn, i)
		}
	}
	end()
	return all
}
