package validate

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A Mend is the repair of a document whose problem shows only beside other documents.
type Mend struct {
	Name string
	Text []byte    // the new content; nil removes the document, and an index of sessions is then built again
	Done []Finding // the repaired findings
}

// FixTree returns the repairs of sessions and of renamed condensations that follow from
// other documents without loss: messages that the archive contains byte for byte are
// removed from the window, metadata gets the number of messages and the agents, an
// active session that does not exist is removed, a wrong index is built again, and
// threads and pins get the present file name of a condensation. Call Fix first; its
// repairs are not repeated here. A tree whose sessions cannot be listed has no repairs.
func FixTree(r fs.Reader) []Mend {
	c := &workerPool{reader: r, severity: newSeverities(), whole: true}
	for name, err := range r.Names(fs.Sessions) {
		if err != nil {
			return nil // a folder that cannot be listed may have content
		}
		c.names = append(c.names, name)
	}
	for _, name := range []string{fs.SessionIndex, fs.ActiveSession} {
		if _, err := r.Read(name); err == nil {
			c.names = append(c.names, name)
		}
	}
	c.judge()
	f := &treeMender{treeFacts: newCensus(r, c.names, c.severity, c.facts), left: map[string]int{}}
	f.windows()
	f.metadata()
	f.active()
	f.index(c.found)
	f.rename()
	return f.mends
}

type treeMender struct {
	*treeFacts
	mends []Mend
	left  map[string]int // the number of messages left in a session's window
}

// windows removes messages from windows that the archive contains.
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
		m.did(duplicateMessage, "", first, "removed "+counted(dropped, "message that is", "messages that are")+" in the archive, byte for byte")
		f.left[v.window.session] = len(v.window.said) - countText(m.name, kept)
		f.mends = append(f.mends, Mend{m.name, kept, m.done})
	}
}

// countText returns the number of messages in a talk with that text.
func countText(name string, src []byte) int {
	j := newJudge(newSeverities())
	j.facts = new(facts)
	j.one(name, fs.DocMessage, false, src)
	return len(j.facts.talks[0].said)
}

// metadata corrects the metadata of sessions from their messages.
func (f *treeMender) metadata() {
	for _, t := range f.correctMetadata() {
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

// active removes an active session that does not exist.
func (f *treeMender) active() {
	for _, a := range f.facts.active {
		if !f.folders[a.id] {
			f.remove(a.name, sessionActive, "removed, for the session "+plain(a.id)+" does not exist")
		}
	}
}

// index has the index built again if it is wrong, or if the data it repeats changes.
func (f *treeMender) index(found []Finding) {
	wrong := false
	for _, one := range found {
		wrong = wrong || one.File == fs.SessionIndex
	}
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
