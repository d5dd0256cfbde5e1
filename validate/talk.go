package validate

import (
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// A talk is what is kept of a session's window or archive.
type talk struct {
	name, session string
	archive       bool
	said          []said // its messages, in the order of lines; summaries of clusters are not among them
	clusters      []reference
	agents        map[string]bool // who spoke
	unnamed       []said          // the first message that does not say who spoke
	compacted     bool            // messages of it are in cold storage
	unsure        bool            // not all of it could be read as messages
}

// A said is one message. Its words are not kept, for there may be very many.
type said struct {
	id, words uint64 // hashes
	key       uint64 // as that of an entry
	when      int64  // as that of an entry
	at        uint32 // offset of the id, or of the line
	short     bool   // the id is called "id"
	summary   bool   // it stands for messages that a compaction took out
}

const (
	windowFile  = "recent_history.jsonl"
	archiveFile = "archive.jsonl"
	maxAgents   = 1000 // that are kept of one talk
)

// isTalk says whether a session's messages stand at name.
func isTalk(name string) bool {
	base := path.Base(name)
	return (base == windowFile || base == archiveFile) && sessionFolder(name) != ""
}

// isDiscussion says whether the messages of a channel or of a thread stand at
// name.
func isDiscussion(name string) bool {
	for _, folder := range [...]string{"/channels/", "/threads/"} {
		if strings.Contains(name, folder) && path.Ext(name) == ".jsonl" {
			_, inside, ok := treeName(name)
			_, rest, _ := strings.Cut(inside, "/")
			return ok && strings.HasPrefix("/"+rest, folder)
		}
	}
	return false
}

// sessionFolder is the folder of the session that the document at name belongs
// to, which is the session's id; "" for other documents. name may lead to a tree.
func sessionFolder(name string) string {
	if !strings.HasPrefix(name, fs.Sessions) {
		_, inside, ok := treeName(name)
		if !ok {
			return ""
		}
		name = inside
	}
	rest, ok := strings.CutPrefix(name, fs.Sessions+"/")
	folder, file, deeper := strings.Cut(rest, "/")
	if !ok || !deeper || strings.Contains(file, "/") {
		return ""
	}
	return folder
}

// begin makes room for what a document says that is read line by line.
func (f *facts) begin(d *document) {
	if d.kind == fs.DocMessage && isTalk(d.name) {
		f.talks = append(f.talks, &talk{
			name: d.name, session: sessionFolder(d.name), archive: path.Base(d.name) == archiveFile, agents: map[string]bool{},
		})
	}
}

// talk is what is kept of d, nil where d is no talk.
func (f *facts) talk(d *document) *talk {
	if n := len(f.talks); n > 0 && f.talks[n-1].name == d.name {
		return f.talks[n-1]
	}
	return nil
}

// miss notes that something of d can't be read.
func (f *facts) miss(d *document) {
	if t := f.talk(d); t != nil {
		t.unsure = true
	}
}

// hear keeps what the line at work says.
func (t *talk) hear(d *document) {
	r := d.entry()
	if r.content < 0 || len(d.tape.Duplicates) > 0 {
		t.unsure = true
		return
	}
	s := said{id: r.idHash, words: r.textHash, key: r.key, when: r.when, at: uint32(d.skipped + d.base)}
	if r.id >= 0 {
		s.at += uint32(d.tape.Nodes[r.id].Start)
		s.short = d.tape.Key(r.id) == "id"
	}
	if string(d.text(d.tape.Member(0, "kind"))) == "summary" {
		meta := d.tape.Member(0, "metadata")
		if members := d.member(meta, "cluster", "members"); members >= 0 {
			for m := d.first(members); m >= 0; m = d.next(m) {
				t.clusters = append(t.clusters, reference{spot: d.spot(m), id: d.str(m), what: "message"})
			}
			return
		}
		s.summary = d.member(meta, "compaction") >= 0
		t.compacted = t.compacted || s.summary
	}
	t.said = append(t.said, s)
	switch agent := d.text(d.tape.Member(0, "agent")); {
	case s.summary:
	case len(agent) > 0 && string(d.text(d.tape.Member(0, "role"))) == "tool": // its name
	case len(agent) > 0:
		if !t.agents[string(agent)] && len(t.agents) < maxAgents {
			t.agents[d.str(d.tape.Member(0, "agent"))] = true
		}
	case len(t.unnamed) == 0:
		t.unnamed = append(t.unnamed, s)
	}
}

func (t *talk) spot(s said) spot {
	pointer := "/msg_id"
	switch {
	case s.id == 0:
		pointer = ""
	case s.short:
		pointer = "/id"
	}
	return spot{t.name, int(s.at), pointer}
}

// A conversation is the talks of one session.
type conversation struct{ window, archive *talk }

func (c conversation) both() (talks []*talk) {
	for _, t := range []*talk{c.window, c.archive} {
		if t != nil {
			talks = append(talks, t)
		}
	}
	return talks
}

// sure says whether all messages of the session are known: none is in a line
// that can't be read, in a file that can't, or in cold storage.
func (c conversation) sure() bool {
	for _, t := range c.both() {
		if t.unsure || t.compacted {
			return false
		}
	}
	return true
}

func (c conversation) messages() (n int) {
	for _, t := range c.both() {
		n += len(t.said)
	}
	return n
}
