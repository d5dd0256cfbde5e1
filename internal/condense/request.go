package condense

import (
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// Requests returns the messages of the conversation at talk that ask to have it condensed; none where
// it was condensed since, or nothing else was said. home is the folder whose channels come first.
func Requests(r fs.Reader, home, talk string) (requests []schema.Message, err error) {
	var said []schema.Message
	if ThreadOf(talk) != "" {
		if t, ok := ThreadAt(r, talk); !ok || t.Condensation != "" {
			return nil, nil
		}
		said, _, err = Talk(r, talk)
	} else {
		var name string
		name, said, _, err = ChannelStretch(r, home, path.Base(path.Dir(talk)))
		if name != talk {
			return nil, err
		}
	}
	for _, m := range said {
		if Asked(m) {
			requests = append(requests, m)
		}
	}
	if len(requests) == len(said) {
		return nil, err
	}
	return requests, err
}

// ThreadOf returns the Name of the document of the thread whose conversation is talk; "" if that is of
// a channel.
func ThreadOf(talk string) string {
	if file := strings.TrimSuffix(talk, "l"); fs.Place(file) == fs.DocThread {
		return file
	}
	return ""
}

// messageFile returns the Name of the file in which forgemind writes a message of the conversation at
// talk.
func messageFile(talk, id string) string {
	stem := strings.ReplaceAll(id, ".", "%2E")
	if !strings.HasPrefix(stem, messagePrefix) {
		stem = messagePrefix + stem
	}
	return folderOf(talk) + "/" + stem + ".json"
}

// FilesOf returns the Names of the files in which messages of the conversation at talk may stand.
func FilesOf(talk string, messages []schema.Message) []string {
	names := []string{talk}
	for _, m := range messages {
		names = append(names, messageFile(talk, m.ID), messageFile(talk, session.PartID(m.ID, 1)))
	}
	return names
}

// Holds reports whether a message of the conversation at talk stands in files, which are given by their
// Names; of one in parts, the first.
func Holds(files map[string][]byte, talk string, m schema.Message) bool {
	same := func(s schema.Message) bool {
		return s.ID == m.ID && s.Timestamp == m.Timestamp && s.Content == m.Content
	}
	if said, _ := linesIn(talk, files[talk]); slices.ContainsFunc(session.Join(said), same) {
		return true
	}
	var own, part schema.Message
	if jsonedit.Decode(files[messageFile(talk, m.ID)], &own) == nil && same(own) {
		return true
	}
	err := jsonedit.Decode(files[messageFile(talk, session.PartID(m.ID, 1))], &part)
	return err == nil && part.Content != "" && strings.HasPrefix(m.Content, part.Content)
}
