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
// it was condensed since. home is the folder whose channels come first.
func Requests(r fs.Reader, home, talk string) (requests []schema.Message, err error) {
	if ThreadOf(talk) != "" {
		if t, ok := ThreadAt(r, talk); !ok || t.Condensation != "" {
			return nil, nil
		}
		requests, _, err = Talk(r, talk)
	} else {
		var name string
		name, requests, _, err = ChannelStretch(r, home, path.Base(path.Dir(talk)))
		if name != talk {
			return nil, err
		}
	}
	return slices.DeleteFunc(requests, func(m schema.Message) bool { return !Asked(m) }), err
}

// ThreadOf returns the Name of the document of the thread whose conversation is talk; "" if that is of
// a channel.
func ThreadOf(talk string) string {
	if file := strings.TrimSuffix(talk, "l"); fs.Place(file) == fs.DocThread {
		return file
	}
	return ""
}

// MessageFile returns the Name of the file that a message of the conversation at talk has if it has
// one of its own.
func MessageFile(talk, id string) string {
	stem := strings.ReplaceAll(id, ".", "%2E")
	if !strings.HasPrefix(stem, messagePrefix) {
		stem = messagePrefix + stem
	}
	return folderOf(talk) + "/" + stem + ".json"
}

// Holds reports whether a message of the conversation at talk stands in files as they once were, by
// their Names.
func Holds(files map[string][]byte, talk string, m schema.Message) bool {
	said, _ := linesIn(talk, files[talk])
	var own schema.Message
	if jsonedit.Decode(files[MessageFile(talk, m.ID)], &own) == nil {
		said = append(said, own)
	}
	return slices.ContainsFunc(session.Join(said), func(s schema.Message) bool { return s.ID == m.ID && s.Content == m.Content })
}
