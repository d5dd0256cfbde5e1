package transcript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// A Talk is a conversation of an export that holds several.
type Talk struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// begins begins with a conversation of an export, and reports whether it is asked for. Where one
// is, or the file holds no other, its title is that of the transcript.
func (rd *reader) begins(id, title string) bool {
	title, _ = secret.Mask(strings.Join(strings.Fields(title), " "))
	if len(id) > longID {
		id = schema.DerivedID("", []byte(id))
	}
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

// longID is the longest id of a conversation that is kept as it is, in bytes.
const longID = 200

// asked reports whether a conversation is the one that is asked for.
func (rd *reader) asked(talk Talk) bool {
	return talk.ID == rd.only || strings.EqualFold(talk.Title, strings.Join(strings.Fields(rd.only), " "))
}

// mostTalks bounds the conversations that are named one by one.
const mostTalks = 20

// oneTalk returns an error unless one conversation is the one that is asked for.
func (rd *reader) oneTalk() error {
	found := slices.DeleteFunc(slices.Clone(rd.talks), func(talk Talk) bool { return !rd.asked(talk) })
	switch {
	case len(found) == 1:
		return nil
	case len(found) > 1:
		return fmt.Errorf("%d conversations %s: %s; name one by its id", len(found), quoted(rd.only), named(found))
	case len(rd.talks) > 0:
		return fmt.Errorf("no conversation %s; it has %s", quoted(rd.only), named(rd.talks))
	case rd.unread > 0:
		return fmt.Errorf("no conversation %s that can be read", quoted(rd.only))
	}
	return fmt.Errorf("no conversation %s: it is no export of several", quoted(rd.only))
}

// named names conversations for people.
func named(talks []Talk) string {
	var names []string
	for _, talk := range talks[:min(len(talks), mostTalks)] {
		names = append(names, fmt.Sprintf("%s (%s)", quoted(talk.ID), quoted(talk.Title)))
	}
	if rest := len(talks) - len(names); rest > 0 {
		names = append(names, fmt.Sprintf("and %d more", rest))
	}
	return strings.Join(names, ", ")
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
