package validate

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A Mend is what is to become of a document that is wrong beside others.
type Mend struct {
	Name string
	Text []byte    // what it is to hold; nil: it is to go, and if it is the index of sessions, to be made anew
	Done []Finding // what that mends
}

// FixTree says what is to be done about the sessions of a tree and about
// condensations that got another name, where it follows from other documents and
// nothing is lost: messages that the archive holds byte for byte leave the window,
// metadata gets the messages' number and their agents, an active session that does
// not exist is forgotten, an index that disagrees is made anew, and threads and
// pins name a condensation as its file is called now. Fix comes first; what it
// mends is not looked at here. A tree whose sessions can't be listed stays as it
// is.
func FixTree(r fs.Reader) []Mend {
	var names []string
	for name, err := range r.Names(fs.Sessions) {
		if err != nil {
			return nil // what can't be listed may be there all the same
		}
		names = append(names, name)
	}
	for _, name := range []string{fs.SessionIndex, fs.ActiveSession} {
		if _, err := r.Read(name); err == nil {
			names = append(names, name)
		}
	}
	c := NewChecker(r, Options{})
	c.judge(names) // by the severities of the rules: what config.json switches off is mended all the same
	f := &treeMender{census: c.census(), left: map[string]int{}}
	f.windows()
	f.metadata()
	f.active()
	f.index(len(c.docs[fs.SessionIndex].found) > 0)
	f.rename()
	return f.mends
}

type treeMender struct {
	*census
	mends []Mend
	left  map[string]int // how many messages leave a session's window
}

// windows takes the messages out of windows that the archive holds.
func (f *treeMender) windows() {
	repeated := map[*talk]bool{}
	f.twice(func(t *talk, _ said, same bool) { repeated[t] = repeated[t] || same })
	for _, v := range f.conversations() {
		if !repeated[v.window] || v.window.compacted || v.archive.compacted {
			continue
		}
		window, err := f.reader.Read(v.window.name)
		archive, err2 := f.reader.Read(v.archive.name)
		if err != nil || err2 != nil {
			continue
		}
		there := map[uint64][][]byte{}
		for line := range bytes.Lines(archive) {
			line = bytes.TrimRight(line, "\r\n")
			hash := maphash.Bytes(idSeed, line)
			there[hash] = append(there[hash], line)
		}
		kept, dropped, first := withoutRepeated(window, there)
		if dropped == 0 {
			continue
		}
		m := &mender{name: v.window.name, src: kept}
		m.did(duplicateMessage, "", first, "removed "+counted(dropped, "message that stands", "messages that stand")+" in the archive, byte for byte")
		f.left[v.window.session] = len(v.window.said) - heard(m.name, kept)
		f.mends = append(f.mends, Mend{m.name, kept, m.done})
	}
}

// heard is how many messages a talk of that text has.
func heard(name string, src []byte) int {
	j := newJudge(newSeverities())
	j.facts = new(facts)
	j.one(name, fs.DocMessage, false, src)
	return len(j.facts.talks[0].said)
}

// metadata makes the metadata of sessions say what their messages do.
func (f *treeMender) metadata() {
	for _, t := range f.tellings() {
		t.messages -= f.left[t.meta.folder]
		if !t.miscounted() && len(t.missing) == 0 {
			continue
		}
		src, err := f.reader.Read(t.meta.name)
		if err != nil {
			continue
		}
		m := &mender{name: t.meta.name, src: src}
		if t.miscounted() {
			m.set(sessionMetadata, "/message_count", fmt.Sprint(t.messages), "set message_count from "+grouped(t.meta.count.n)+" to "+grouped(float64(t.messages)))
		}
		for _, agent := range t.missing {
			if value, err := jsonedit.Value(agent); err == nil {
				m.append(sessionMetadata, "/agents", value, "added "+plain(agent)+" to agents")
			}
		}
		if len(m.done) > 0 {
			f.mends = append(f.mends, Mend{m.name, m.src, m.done})
		}
	}
}

// active forgets an active session that does not exist.
func (f *treeMender) active() {
	for _, a := range f.facts.active {
		if !f.folders[a.id] {
			f.remove(a.name, sessionActive, "removed, for the session "+plain(a.id)+" does not exist")
		}
	}
}

// index has the index made anew where it is wrong, or what it repeats changes.
func (f *treeMender) index(wrong bool) {
	f.rule, f.weight = &sessionIndex, sessionIndex.Severity
	if f.indexedSessions(); len(f.out) > 0 {
		wrong = true
	}
	for _, m := range f.mends {
		wrong = wrong || strings.HasSuffix(m.Name, "/metadata.json")
	}
	if f.hasIndex && wrong {
		f.remove(fs.SessionIndex, sessionIndex, "made anew from the metadata of the sessions")
	}
}

func (f *treeMender) remove(name string, rule Rule, what string) {
	m := &mender{name: name}
	m.did(rule, "", 0, what)
	f.mends = append(f.mends, Mend{Name: name, Done: m.done})
}
