package query

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// readTalk reads the live conversation. If it has no messages, it reads that of the session
// that the active one continues; if no session is active, that of the last one.
func (s *Selection) readTalk(r fs.Reader) {
	window, err := session.Conversation(r)
	if err == nil {
		err = s.readWindow(r, window)
	}
	t := &s.Talk
	before := s.Last
	if s.live = t.Session; s.live != "" {
		before = continued(r, s.live)
	}
	if err == nil && len(t.Recent) == 0 && before != "" && before != t.Session {
		err = s.readWindow(r, session.Window(before))
		t.RecentFile = before + "/" + t.RecentFile
	}
	if err != nil {
		s.Faults, s.Unread = append(s.Faults, err.Error()), errors.Join(s.Unread, err)
	}
}

// readWindow reads a conversation by the name of its file.
func (s *Selection) readWindow(r fs.Reader, window string) (err error) {
	t := &s.Talk
	t.RecentFile = path.Base(window)
	if window != fs.Messages {
		t.Session = path.Base(path.Dir(window))
		if t.Summary == "" {
			if t.Summary, t.SummaryFile, err = summaryFor(r, t.Session); err != nil {
				return err
			}
		}
	}
	src, err := maybe(r, window)
	t.Recent = newest(src)
	return err
}

// continued returns the session that a session continues; "" for none.
func continued(r fs.Reader, id string) string {
	src, err := maybe(r, session.MetadataFile(id))
	var m schema.SessionMetadata
	if err != nil || jsonedit.Decode(src, &m) != nil || !schema.ValidID(m.Continues) {
		return ""
	}
	return m.Continues
}

// summaryFor returns the summary of a session and its file. A session without a summary yet
// has that of the session it continues.
func summaryFor(r fs.Reader, id string) (text, file string, err error) {
	file = path.Base(session.SummaryFile(id))
	src, err := maybe(r, session.SummaryFile(id))
	if err != nil || len(src) > 0 {
		return string(src), file, err
	}
	before := continued(r, id)
	if before == "" {
		return "", file, nil
	}
	src, err = maybe(r, session.SummaryFile(before))
	return string(src), before + "/" + file, err
}

// newest returns the last messages of a conversation, in order.
func newest(src []byte) []schema.Message {
	// Only the end of a long conversation is read. Some of its lines are blank, or parts of a
	// message.
	const most = 5 * session.WindowMessages
	from := len(src)
	for range most {
		if from = bytes.LastIndexByte(src[:max(0, from-1)], '\n') + 1; from == 0 {
			break
		}
	}
	all := session.Messages(session.Read(src[from:]))
	session.InOrder(all)
	all = session.Join(all)
	return all[max(0, len(all)-session.WindowMessages):]
}

// maybe returns the content of name; nil if there is no such file.
func maybe(r fs.Reader, name string) ([]byte, error) {
	src, err := r.Read(name)
	if errors.Is(err, iofs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return src, nil
}
