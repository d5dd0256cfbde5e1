package condense

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A conversation has two places: a JSONL file, to which bridges append a line a
// message, and the folder of that name, in which forgemind writes a file a message.

// messagePrefix begins the names of the files of messages.
const messagePrefix = "msg-"

// channelTalk returns the Name of a channel's own messages below home.
func channelTalk(home, channel string) string {
	return home + "/" + fs.ChannelsDir + "/" + ChannelID(channel) + "/messages.jsonl"
}

// TalkAt returns the Name of the conversation that the file name belongs to, as Talk
// takes it: name itself, or where it is the file of one message the JSONL file beside
// the folder. It is "" where name is of no conversation.
func TalkAt(name string) string {
	switch {
	case fs.Place(name) != fs.DocMessage:
		return ""
	case strings.HasSuffix(name, ".jsonl"):
		return name
	}
	return path.Dir(name) + ".jsonl"
}

// folderOf returns the folder of a thread or a conversation, whose Name is file.
func folderOf(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

// Talk reads the messages at name, and those in the folder of that name, in order of
// time: long ones in one piece, each once. Of a torn line the rest is read. Where
// there is neither file nor folder there are no messages.
func Talk(r fs.Reader, name string) ([]schema.Message, []Fault, error) {
	src, err := readOr(r, name, nil)
	if err != nil {
		return nil, nil, err
	}
	lines, faults := linesIn(name, src)
	own, faults2 := messagesIn(r, folderOf(name))
	messages := once(lines, own)
	session.InOrder(messages)
	return session.Join(messages), append(faults, faults2...), nil
}

// linesIn returns the messages of a JSONL file.
func linesIn(name string, src []byte) (messages []schema.Message, faults []Fault) {
	for _, line := range session.Read(src) {
		switch {
		case errors.Is(line.Err, session.ErrBlank):
		case line.Err != nil:
			faults = append(faults, Fault{name, line.At + 1, line.Err})
		default:
			messages = append(messages, *line.Message)
		}
	}
	return messages, faults
}

// messagesIn returns the messages that have a file each in a folder.
func messagesIn(r fs.Reader, folder string) (messages []schema.Message, faults []Fault) {
	for name, err := range r.Names(folder) {
		if err == nil && (fs.Place(name) != fs.DocMessage || path.Dir(name) != folder) {
			continue
		}
		var m schema.Message
		if err == nil {
			m, err = readMessage(r, name)
		}
		switch {
		case errors.Is(err, iofs.ErrNotExist): // gone again
		case err != nil:
			faults = append(faults, Fault{Name: name, Err: err})
		default:
			messages = append(messages, m)
		}
	}
	return messages, faults
}

// IsOwn returns a function that reports whether a message of the conversation at name has a file of its own, and
// does not stand in that to which bridges append. The texts of messages may lack their secrets.
func IsOwn(r fs.Reader, name string) func(schema.Message) bool {
	key := func(m schema.Message) string {
		m.Content, _ = secret.Mask(m.Content)
		line, _ := session.Encode(m) // "" of what cannot stand in a file
		return string(line)
	}
	own, _ := messagesIn(r, folderOf(name))
	session.InOrder(own)
	known := map[string]bool{}
	for _, m := range session.Join(own) {
		known[key(m)] = true
	}
	return func(m schema.Message) bool { return known[key(m)] }
}

func readMessage(r fs.Reader, name string) (m schema.Message, err error) {
	src, err := r.Read(name)
	if err != nil {
		return m, err
	}
	if err := jsonedit.Decode(src, &m); err != nil {
		return m, merged(src, err)
	}
	if m.Content == "" {
		return m, errors.New("it has no content")
	}
	return m, nil
}

// once returns the messages that bridges appended, and behind them forgemind's own, without those that repeat
// the id and the words of another. A line does not change what it repeats of forgemind's own.
func once(lines, own []schema.Message) []schema.Message {
	seen := map[idText]bool{}
	for _, m := range own {
		seen[idText{m.ID, m.Content}] = true
	}
	return append(unseen(lines, seen), unseen(own, map[idText]bool{})...)
}

// An idText tells messages with an id apart.
type idText struct{ id, content string }

// unseen returns the messages that were not seen, each once.
func unseen(messages []schema.Message, seen map[idText]bool) (all []schema.Message) {
	for _, m := range messages {
		key := idText{m.ID, m.Content}
		if m.ID == "" || !seen[key] {
			all = append(all, m)
		}
		seen[key] = true
	}
	return all
}

// addTalk stages messages of forgemind's own for the conversation at name, a file
// each.
func addTalk(tx *fs.Tx, name string, messages []schema.Message, terms session.Terms) (added []schema.Message, masked []string, err error) {
	if added, masked, err = admit(tx, name, messages, terms); err != nil {
		return nil, nil, err
	}
	for _, m := range added {
		text, err := jsonedit.Marshal(m)
		if err != nil {
			return nil, nil, fmt.Errorf("message %s: %w", m.ID, err)
		}
		stem := strings.ReplaceAll(m.ID, ".", "%2E")
		if !strings.HasPrefix(stem, messagePrefix) {
			stem = messagePrefix + stem
		}
		tx.Write(folderOf(name)+"/"+stem+".json", text)
	}
	return added, masked, nil
}

// appendTalk stages messages for the end of the file name, a line each.
func appendTalk(tx *fs.Tx, name string, messages []schema.Message, terms session.Terms) (masked []string, err error) {
	added, masked, err := admit(tx, name, messages, terms)
	if err != nil {
		return nil, err
	}
	for _, m := range added {
		line, err := session.Encode(m)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		tx.Append(name, line)
	}
	return masked, nil
}

// admit makes messages ready for the conversation at name; see session.Terms.
func admit(r fs.Reader, name string, messages []schema.Message, terms session.Terms) ([]schema.Message, []string, error) {
	src, err := readOr(r, name, nil)
	if err != nil {
		return nil, nil, err
	}
	src = append(src[:len(src):len(src)], '\n')
	own, _ := messagesIn(r, folderOf(name))
	for _, m := range own {
		line, err := session.Encode(m)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		src = append(append(src, line...), '\n')
	}
	return terms.Admit(src, messages)
}
