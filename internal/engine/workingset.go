package engine

import (
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// A WorkingSet holds the staged documents of a transaction and the values derived from them.
// Changes and actions read and write it. apply makes it, and fire and render use it.
type WorkingSet struct {
	loadResult
	config   schema.Config // as staged: init and migrate change it
	event    Event
	memory   triggerMemory
	unsigned error             // why the author of this change is not known; see author
	refused  map[string]string // why decisions of views are not added to the Ledger, by id
	masked   []string          // the kinds of the secrets that were masked before staging
	figures
	viewSet
	sessionWork
	conversationWork
	factFirings
	appended appendedSet
	foreign  foreignSet
	result
}

func newWorkingSet(l loadResult, event Event) *WorkingSet {
	return &WorkingSet{loadResult: l, config: l.stored, event: event, memory: l.former, result: result{out: Outcome{Notes: l.warnings}}}
}

// figures holds the values that a transaction adds to the session's counters.
type figures struct {
	counted state.Counters
	tallied bool // counted was added, or must not be
}

// A result is the input of publish.
type result struct {
	out        Outcome
	summarised []string        // the sessions whose summaries are new
	retold     *summaryRewrite // the compaction whose summary is new
	copies     bool            // messages left the conversation, or a session ended: copies are due; see copyOut
}
