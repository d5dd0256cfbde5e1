package validate

import (
	"hash/maphash"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

// facts is the little that is kept of each document, to hold the documents of a
// tree against one another.
type facts struct {
	ledger, views []decision
	refs          []reference // what a document alone could not resolve
	links         []link      // what supersedes what
	cached        []cached    // by the cache's index
	artifacts     []reference // id is a path, what the artifact
	active        []reference // the active session
	counts        []count     // decisions_recorded
	sessions      []session   // by their metadata
	index         []session   // by the index
	hasIndex      bool
	talks         []*talk     // windows and archives
	completed     []string    // goals that are complete, by id and by words
	continued     []link      // which session carries on which
	heavy         []weight    // hot contexts that are too large
	fragments     []reference // by their ids
	madeFrom      []link      // which fragment, by its file, is of which session
	keptAs        []link      // which session is kept as which fragment
	replaces      []reference // what condensations say that they replace, and became
	superseded    []string    // ids that decisions supersede
	proposed      []string    // ids of proposals
	records       []recorded  // records and changes of them
	items         []string    // ids of actions and questions that views show
	goals         []string    // ids and words of goals, of records and views
}

// A spot is a place in a document of the tree.
type spot struct {
	name    string
	offset  int // behind a byte order mark
	pointer string
}

type decision struct {
	spot
	id   string
	text uint64 // hash of what views show of it: words, reasons, time, recorder
}

type reference struct {
	spot
	id, what string
	item     string // the id of the item of a view that says it
}

type count struct {
	spot
	n float64
}

type session struct {
	spot
	folder string               // its id, which is its folder's name
	values [len(indexed)]string // as they stand in the text
	count  count                // message_count; no name where it says none
	agents reference            // where agents stand, and which: their texts between newlines
}

// archived says whether the session says so of itself.
func (s session) archived() bool { return s.values[statusAt] == `"archived"` }

func (d *document) spot(node int) spot {
	return spot{d.name, d.skipped + d.base + int(d.tape.Nodes[node].Start), d.tape.Pointer(node)}
}

// note keeps what other documents are held against.
func (f *facts) note(d *document) {
	switch d.kind {
	case fs.DocDecision:
		if file, ok := records.FileOf(d.name); !ok || !d.isNamed(file) {
			return
		}
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

// noteSession keeps what the metadata of a session says.
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

// decisionMembers are where a decision has its id and its words; the hot context
// knows two spellings of both. -1 where one is missing.
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

// join adds what is kept of other documents.
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
	f.proposed = append(f.proposed, g.proposed...)
	f.records = append(f.records, g.records...)
	f.items = append(f.items, g.items...)
	f.goals = append(f.goals, g.goals...)
}

// compare orders spots, so that findings do not depend on who came first.
func (s spot) compare(t spot) int {
	if c := strings.Compare(s.name, t.name); c != 0 {
		return c
	}
	return s.offset - t.offset
}
