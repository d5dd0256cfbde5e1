package condense

import (
	"path"
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

// TalkOf returns the Name of the conversation of the thread or channel that the file name belongs to, as
// Talk takes it; "" for none, or a channel's pins.
func TalkOf(name string) string {
	if file := threadFile(name); file != "" {
		return file + "l"
	}
	return TalkAt(name)
}

// ThreadOf returns the Name of the document of the thread whose conversation is talk; "" if that is of
// a channel.
func ThreadOf(talk string) string {
	if file := strings.TrimSuffix(talk, "l"); fs.Place(file) == fs.DocThread {
		return file
	}
	return ""
}

// FilesOf returns the Names of the files that hold the messages of the conversation at talk, whether or
// not there is one of that Name.
func FilesOf(r fs.Reader, talk string) []string {
	names := []string{talk}
	for name, err := range r.Names(folderOf(talk)) {
		if err == nil && TalkAt(name) == talk {
			names = append(names, name)
		}
	}
	return names
}

// ThreadFiles returns the Names of the files of the thread whose conversation is talk that git can track,
// whether or not there is one of that Name.
func ThreadFiles(r fs.Reader, talk string) []string {
	names := []string{talk}
	if document := ThreadOf(talk); !fs.Ignores(r, document) {
		names = append(names, document)
	}
	for name, err := range r.Names(folderOf(talk)) {
		if err == nil {
			names = append(names, name)
		}
	}
	return names
}

// SaidIn returns the messages in files of a conversation, which are given by their Names, as Talk does.
func SaidIn(files map[string][]byte) (messages []schema.Message) {
	for name, src := range files {
		if strings.HasSuffix(name, ".jsonl") {
			lines, _ := linesIn(name, src)
			messages = append(messages, lines...)
			continue
		}
		var m schema.Message
		if jsonedit.Decode(src, &m) == nil {
			messages = append(messages, m)
		}
	}
	session.InOrder(messages)
	return session.Join(messages)
}
