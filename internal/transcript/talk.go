package transcript

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/secret"
)

// A Talk is a conversation of an export that holds several.
type Talk struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// begins begins with a conversation of an export, and reports whether it is asked for. Where one
// is, or there is no other, its title is that of the transcript.
func (rd *reader) begins(id, title string) bool {
	title, _ = secret.Mask(strings.Join(strings.Fields(title), " "))
	talk := Talk{id, title}
	rd.talks = append(rd.talks, talk)
	if rd.only != "" && !rd.asked(talk) {
		rd.why = "another conversation"
		return false
	}
	rd.why, rd.session = "nothing said", id
	if rd.only != "" || len(rd.records) == 1 {
		rd.title = title
	}
	return true
}

// asked reports whether a conversation is the one that is asked for.
func (rd *reader) asked(talk Talk) bool {
	return talk.ID == rd.only || strings.EqualFold(talk.Title, strings.Join(strings.Fields(rd.only), " "))
}

// mostTalks is how many conversations are named one by one.
const mostTalks = 20

// noTalk returns the error that the conversation that is asked for is not there.
func (rd *reader) noTalk() error {
	if len(rd.talks) == 0 {
		return fmt.Errorf("no conversation %s: it is no export of several", quoted(rd.only))
	}
	var names []string
	for _, talk := range rd.talks[:min(len(rd.talks), mostTalks)] {
		names = append(names, fmt.Sprintf("%s (%s)", quoted(talk.ID), quoted(talk.Title)))
	}
	if rest := len(rd.talks) - len(names); rest > 0 {
		names = append(names, fmt.Sprintf("and %d more", rest))
	}
	return fmt.Errorf("no conversation %s; it has %s", quoted(rd.only), strings.Join(names, ", "))
}

// besides takes in what say says as taken back: it stands beside the conversation, within the
// same record.
func (rd *reader) besides(say func()) {
	before := len(rd.takenBack)
	rd.taken = true
	say()
	rd.taken = false
	if n := len(rd.takenBack) - before; n > 0 {
		rd.added += n
		rd.left["taken back"] += n
	}
}
