package validate

import (
	"hash/maphash"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// facts holds the parts of each document that are needed to check the documents of a
// tree against each other.
type facts struct {
	ledger, views []decision
	refs          []reference // references that a document alone could not resolve
	links         []link      // which decision supersedes which
	cached        []cached    // entries of the cache's index
	artifacts     []reference // id is a path, what the artifact
	active        []reference // the active session
	counts        []count     // decisions_recorded
	sessions      []session   // from their metadata
	index         []session   // from the index
	hasIndex      bool
	talks         []*talk     // windows and archives
	completed     []string    // completed goals, by id and by words
	continued     []link      // which session continues which
	heavy         []weight    // hot contexts that are too large
	fragments     []reference // ids of fragments
	madeFrom      []link      // which fragment, by file, was made from which session
	keptAs        []link      // which session names which fragment
	replaces      []reference // what condensations name as replaced, and as their decision
	superseded    []string    // ids that decisions supersede
	records       []recorded  // records and changes of them
	items         []string    // ids of actions and questions in views
	goals         []string    // ids and words of goals, in records and views

	named map[string]string // ids of decisions → the first document that names each
}

// A spot is a place in a document of the tree.
type spot struct {
	name    string
	offset  int // after a byte order mark
	pointer string
}

type decision struct {
	spot
	id   string
	text uint64 // hash of the content that views show: words, reasons, time, recorder
}

type reference struct {
	spot
	id, what string
	item     string // the id of the item of a view that contains it
}

type count struct {
	spot
	n float64
}

type session struct {
	spot
	folder string               // its id, which is the name of its folder
	values [len(indexed)]string // the texts of the values
	count  count                // message_count; its name is "" if there is none
	agents reference            // the place and the texts of agents, separated by newlines
}

// archived reports whether the status of the session is archived.
func (s session) archived() bool { return s.values[statusAt] == `"archived"` }

func (d *document) spot(node int) spot {
	return spot{d.name, d.skipped + d.base + int(d.tape.Nodes[node].Start), d.tape.Pointer(node)}
}

// note keeps the facts of a document.
func (f *facts) note(d *document) {
	switch d.kind {
	case fs.DocDecision:
		f.ledger = append(f.ledger, d.decision(0))
		f.noteReplaced(d, 0)
	case fs.DocState:
		f.noteView(d, "recent_decisions")
		f.noteItems(d)
		if n := d.member(0, "session_stats", "decisions_recorded"); n >= 0 {
			if v, ok := d.number(n); ok {
				f.counts = append(f.counts, count{d.spot(n), v})
			}
		}
	case fs.DocHotContext:
		f.noteView(d, "key_decisions")
		f.noteItems(d)
	case fs.DocSessionMeta:
		f.noteSession(d)
	case fs.DocQuestion, fs.DocAction, fs.DocGoal, fs.DocChange:
		f.noteRecord(d)
	case fs.DocMessage:
		if t := f.talk(d); t != nil {
			t.hear(d)
		}
	case fs.DocSessionIndex:
		f.hasIndex = true
		f.index = append(f.index, d.session(d.str(d.tape.Member(0, "session_id"))))
	}
}

// noteSession keeps the facts of a session's metadata.
func (f *facts) noteSession(d *document) {
	s := d.session(path.Base(path.Dir(d.name)))
	if n := d.tape.Member(0, "message_count"); n >= 0 {
		if v, ok := d.number(n); ok {
			s.count = count{d.spot(n), v}
		}
	}
	if n := d.tape.Member(0, "agents"); d.kindOf(n) == jsonedit.Array {
		names := []byte("\n")
		for a := d.first(n); a >= 0; a = d.next(a) {
			names = append(append(names, d.str(a)...), '\n')
		}
		s.agents = reference{spot: d.spot(n), id: string(names)}
	}
	f.sessions = append(f.sessions, s)
	done := d.tape.Member(0, "completed")
	for e := d.first(done); e >= 0; e = d.next(e) {
		for _, name := range [...]string{"id", "goal"} {
			if n := d.tape.Member(e, name); n >= 0 {
				f.completed = append(f.completed, d.str(n))
			}
		}
	}
	if n := d.tape.Member(0, "continues"); len(d.text(n)) > 0 {
		f.continued = append(f.continued, link{spot: d.spot(n), from: s.folder, to: d.str(n)})
	}
	if n := d.tape.Member(0, "fragment"); len(d.text(n)) > 0 {
		f.keptAs = append(f.keptAs, link{spot: d.spot(n), from: s.folder, to: d.str(n)})
	}
}

func (f *facts) noteView(d *document, list string) {
	array := d.tape.Member(0, list)
	for e := d.first(array); e >= 0; e = d.next(e) {
		if id, words := decisionMembers(&d.tape, e); id >= 0 || words >= 0 {
			f.views = append(f.views, d.decision(e))
			f.noteReplaced(d, e)
		}
	}
}

// decisionMembers returns the nodes of a decision's id and words, in either spelling of
// the hot context. A missing node is -1.
func decisionMembers(doc *jsonedit.Doc, node int) (id, words int) {
	if id = doc.Member(node, "id"); id < 0 {
		id = doc.Member(node, "decision_id")
	}
	if words = doc.Member(node, "decision"); words < 0 {
		words = doc.Member(node, "description")
	}
	return id, words
}

func (d *document) decision(node int) decision {
	id, words := decisionMembers(&d.tape, node)
	where := node
	if id >= 0 {
		where = id
	}
	recorder := d.tape.Member(node, "recorded_by")
	if recorder < 0 {
		recorder = d.tape.Member(node, "agent")
	}
	var hash maphash.Hash
	hash.SetSeed(idSeed)
	for _, m := range [...]int{words, d.tape.Member(node, "rationale"), d.tape.Member(node, "timestamp"), recorder} {
		hash.Write(d.tape.Raw(m))
		hash.WriteByte(0)
	}
	return decision{d.spot(where), d.str(id), hash.Sum64()}
}

func (d *document) session(folder string) session {
	s := session{spot: d.spot(0), folder: folder}
	for i, name := range indexed {
		if n := d.tape.Member(0, name); n >= 0 {
			s.values[i] = string(d.tape.Raw(n))
		}
	}
	return s
}

// join adds the facts that another goroutine collected.
func (f *facts) join(g *facts) {
	f.ledger = append(f.ledger, g.ledger...)
	f.views = append(f.views, g.views...)
	f.refs = append(f.refs, g.refs...)
	f.links = append(f.links, g.links...)
	f.cached = append(f.cached, g.cached...)
	f.artifacts = append(f.artifacts, g.artifacts...)
	f.active = append(f.active, g.active...)
	f.counts = append(f.counts, g.counts...)
	f.sessions = append(f.sessions, g.sessions...)
	f.index = append(f.index, g.index...)
	f.hasIndex = f.hasIndex || g.hasIndex
	f.talks = append(f.talks, g.talks...)
	f.completed = append(f.completed, g.completed...)
	f.continued = append(f.continued, g.continued...)
	f.heavy = append(f.heavy, g.heavy...)
	f.fragments = append(f.fragments, g.fragments...)
	f.madeFrom = append(f.madeFrom, g.madeFrom...)
	f.keptAs = append(f.keptAs, g.keptAs...)
	f.replaces = append(f.replaces, g.replaces...)
	f.superseded = append(f.superseded, g.superseded...)
	f.records = append(f.records, g.records...)
	f.items = append(f.items, g.items...)
	f.goals = append(f.goals, g.goals...)
	for id, name := range g.named {
		f.nameDecision(id, name)
	}
}

// compare orders spots, so that findings do not depend on the order of the goroutines.
func (s spot) compare(t spot) int {
	if c := strings.Compare(s.name, t.name); c != 0 {
		return c
	}
	return s.offset - t.offset
}
