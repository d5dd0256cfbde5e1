//go:build linux

package faults_test

import (
	"strings"
	"testing"
)

// A change is a command that changes a tree or the settings beside it.
type change struct {
	base     func(t *testing.T) string // makes the project directory
	args     string                    // the command; DEC stands for a decision that is there, SESSION for one that is not the active one
	before   string                    // a command that comes before it; "" for none
	next     string                    // the command that follows, and mends what is to be mended; "" for a usual one
	killOnly bool                      // its system calls are not made to fail
	undo     bool                      // what it did can be taken back by `uncompact`
	shows    string                    // stands in a document once it is done
	fires    string                    // a trigger that it fires, switched off, if what it does is done later where it fails
	check    func(t *testing.T, b *broken)
}

// A set is a list of commands of a kind that are broken.
type set struct {
	name          string
	subjects      func(t *testing.T, kill bool) []subject
	faults        []fault
	kills, errors int     // of each kind of call, at most so many are broken
	every         int     // of all these points, every so-many-th is taken
	fails         float64 // the least share of the commands that fail when a call does
}

// sets are all commands that are killed and failed at their system calls.
var sets = []set{
	{"tree", rehearsals(disturbed, nil), treeFaults, 1000, 1000, 1, 1.0 / 3},
	{"session", rehearsals(conversing, keepSaid), treeFaults, atLength(1000, 16), atLength(1000, 10), 1, 1.0 / 3},
	{"lifecycle", rehearsals(discussing, nil), treeFaults, atLength(1000, 3), atLength(1000, 12), 1, 1.0 / 3},
	{"forgetting", rehearsals(forgetting, keepLines), treeFaults, atLength(1000, 4), atLength(1000, 3), 1, 1.0 / 3},
	{"install", rehearsals(installing, keepSettings), settingsFaults, atLength(1000, 5), atLength(1000, 5), 1, 1.0 / 3},
	{"hooks", hookEvents, hookFaults(), atLength(1000, 3), atLength(1000, 3), atLength(1, 7), 0},
}

// treeFaults are the faults of commands on trees.
var treeFaults = []fault{
	{"openat2", 2, 1, "EIO EMFILE EACCES ENOSPC EROFS", false},
	{"openat", 3, 3, "EACCES EIO EMFILE", false}, // most are the Go runtime's
	{"write", 1, 1, "EIO ENOSPC", false},
	{"pwrite64", 1, 1, "EIO ENOSPC", false},
	{"fsync", 1, 1, "EIO ENOSPC", true},
	{"renameat2", 1, 1, "EIO ENOSPC EROFS EACCES", true},
	{"unlinkat", 1, 1, "EIO EROFS EACCES", false},
	{"mkdirat", 1, 1, "ENOSPC EROFS EACCES", false},
	{"ftruncate", 1, 1, "EIO", false},
	{"fchmod", 1, 1, "EIO EROFS", false},
	{"flock", 1, 1, "", false},
	{"close", 8, 1, "", false},
}

// settingsFaults are the faults of commands on settings.
var settingsFaults = []fault{
	{"openat", 1, 1, "EACCES EIO ENOSPC EMFILE", false},
	{"write", 1, 1, "ENOSPC EIO", false},
	{"fsync", 1, 1, "EIO ENOSPC", false},
	{"renameat", 1, 1, "EACCES EIO", false},
	{"linkat", 1, 1, "EACCES ENOSPC", false},
	{"unlinkat", 1, 1, "EACCES EIO", false},
	{"mkdirat", 1, 1, "ENOSPC EACCES", false},
	{"fchmod", 1, 1, "EIO", false},
}

// hookFaults returns the faults of hooks: those of commands on trees, at each call.
func hookFaults() (all []fault) {
	for _, f := range treeFaults {
		f.kill, f.fail, f.each = 1, 1, false
		all = append(all, f)
	}
	return all
}

// sample is the change of the samples.
var sample = change{base: baseTree, args: `decision add disturbed`}

// disturbed are changes of a tree of the project.
var disturbed = []change{
	{base: baseTree, args: `set /notes/a 1`},
	{base: baseTree, args: `layer 2`},
	sample,
	{base: baseTree, args: `compact --now --strategy psd`},
	{base: baseCompacted, args: `uncompact`},
	{base: newDir, args: initBoth, next: initBoth},
}

// conversing are changes of a session that has so many messages.
var conversing = []change{
	{base: talked(14), args: `goal add "Roof the shed" --priority high`},
	{base: talked(14), args: `goal complete "Lay the wall"`, killOnly: true},
	{base: talked(14), args: `constraint add "No work on Sundays"`, killOnly: true},
	{base: talked(14), args: `remember "The kiln is cold"`, killOnly: true},
	{base: talked(14), args: `file add src/roof.go`, killOnly: true},
	{base: talked(13), args: `message add "One more word" --agent Boss`},
	{base: talked(14), args: `message add "The fifteenth: see src/wall.go. Next: point the joints"`, killOnly: true},
	{base: talked(20), args: `message add "The twenty-first"`},
	{base: talked(49), args: `message add "The fiftieth"`},
	{base: talked(99), args: `message add "The hundredth"`, shows: `"status":"archived"`, fires: `{"name": "session_archive", "enabled": false, "condition": "session_messages >= 100", "actions": []}`},
	{base: talked(20), args: `sessions new --title Another`, killOnly: true},
	{base: talked(20), args: `sessions restore SESSION`, killOnly: true},
	{base: talked(20), args: `sessions archive --title "The wall"`},
	{base: talked(20), args: `sessions clear`, killOnly: true},
	{base: talked(13), args: `sessions summary`, killOnly: true},
	{base: talked(14), args: `slash "/log_decision Use lime because it breathes"`},
}

// discussing are changes of threads, condensations, projects and handoffs.
var discussing = []change{
	{base: discussed, args: `thread open "Which cart" --channel yard`},
	{base: discussed, args: `thread post mortar "One more word" --agent ann`},
	{base: discussed, args: `thread post mortar "📝 condense this discussion" --agent ann`},
	{base: discussed, args: `thread resolve mortar`},
	{base: discussed, args: `thread archive sand`},
	{base: discussed, args: `thread import yard.log --channel yard`},
	{base: discussed, args: `condense sand`},
	{base: discussed, args: `condense --channel proj-south-wall`},
	{base: discussed, args: `condense --from yard.log --channel yard --topic Carts`},
	{base: discussed, args: `projects new "North wall"`},
	{base: discussed, args: `projects set south --phase Done --constraint "No peat"`},
	{base: behind, args: `projects refresh`},
	{base: discussed, args: `handoff add "Mix the mortar" --summary mixed`},
	{base: discussed, args: `decision supersede DEC "Clay, for there is no lime"`},
}

// asking is a prompt that answers of cold storage come back for.
const asking = "Which cart brought the plumb and the kiln, and where were they put beside the orchard?"

// honey is a prompt that fills a window.
var honey = "What does the beekeeper tell of his queens?" + strings.Repeat(" Honey was sold at market, and swarms flew.", 40)

// forgetting are changes by which something leaves a conversation, comes back, or is noted
// about that.
var forgetting = []change{
	{base: longTalk, args: `compact --now --strategy relevance --prompt "the hinge of the oak gate"`, undo: true, shows: `"event":"chunk_dropped"`},
	{base: longTalk, args: `compact --now --strategy relevance --budget 900`, undo: true, shows: `"part":2`},
	{base: compacted, args: `uncompact`, killOnly: true},
	{base: compacted, args: `recover --query "the plumb and the kiln"`, shows: `"event":"chunk_recovered"`},
	{base: past, args: `cold-storage expire`},
	{base: compacted, args: `reset --name tree`},
	{base: longTalk, args: `config set RELEVANCE_CUTOFF 0.25`, killOnly: true, shows: "RELEVANCE_CUTOFF: 0.25"},
	{base: compacted, args: `health`, killOnly: true, shows: `"pct_used"`},
	{base: compacted, args: `health --report 120000 --limit 200000 --agent claude`, killOnly: true, shows: "120000"},
	{base: nearlyFull, args: `message add HONEY --agent user`, undo: true, shows: `"event":"memfas_curation"`},
	{base: answering, args: `message add ASKING --agent user`, shows: "Recovered from cold storage (chunk-"},
}

// The commands that are followed by themselves.
const (
	initBoth      = "init --layout both"
	initTemplate  = "init --full"
	install       = "hook install --agent all --mcp"
	uninstall     = "hook uninstall --agent all"
	userInstall   = "hook install --agent all --user --mcp"
	userUninstall = "hook uninstall --agent all --user"
)

// installing are changes of settings. Each is followed by itself, and one that puts something
// in also by the one that takes it out.
var installing = []change{
	{base: withSettings, args: install, next: install},
	{base: withSettings, args: install, next: uninstall},
	{base: withSettings, args: install, next: install, before: `hook install --agent all`},
	{base: withSettings, args: install, next: uninstall, before: `hook install --agent all`},
	{base: withSettings, args: uninstall, next: uninstall, before: install},
	{base: withSettings, args: userInstall, next: userInstall},
	{base: withSettings, args: userInstall, next: userUninstall},
	{base: withSettings, args: userUninstall, next: userUninstall, before: userInstall},
}

// changing are the changes that are killed at random moments.
var changing = []change{
	{base: baseTree, args: `set /notes/a 1`},
	{base: baseTree, args: `layer 2`},
	{base: baseTree, args: `layer 0`},
	{base: baseTree, args: `clarity 95`},
	{base: baseTree, args: `decision add killed --priority high`},
	{base: baseTree, args: `decision supersede DEC instead`},
	{base: baseTree, args: `trigger session_end`},
	{base: baseTree, args: `message add "one more word" --agent Boss`},
	{base: baseTree, args: `compact --now --strategy psd`},
	{base: baseCompacted, args: `uncompact`},
	{base: baseTree, args: `load idea.md`},
	{base: baseTree, args: `question ask "Which pears?"`},
	{base: baseTree, args: `memory add --type lesson_learned "frost comes early"`},
	{base: baseTree, args: `facilitator backtrack`},
	{base: baseTree, args: `facilitator end session`},
	{base: newDir, args: initTemplate, next: initTemplate},
}

// moving is a change by which the conversation moves to the home of the layout that is added.
var moving = change{base: baseOneLayout, args: initBoth, next: initBoth, check: tenSteps}

// tenSteps checks that the conversation is whole, in its old home or in its new one.
func tenSteps(t *testing.T, b *broken) {
	t.Helper()
	if r := forgemind(t, b.dir, "message", "list"); strings.Count(r.out, "Step") != 10 {
		t.Errorf("%v: the conversation is %v", b, r)
	}
}

// rehearsals returns a function that rehearses changes, or those of them that fail too, and
// has keep note what has to stay.
func rehearsals(changes []change, keep func(t *testing.T, tr *trial) subject) func(t *testing.T, kill bool) []subject {
	return func(t *testing.T, kill bool) (all []subject) {
		t.Helper()
		for _, c := range changes {
			if c.killOnly && !kill {
				continue
			}
			tr := c.rehearse(t)
			if keep == nil {
				all = append(all, tr)
			} else {
				all = append(all, keep(t, tr))
			}
		}
		return all
	}
}

// keepSaid remembers what was said in sessions.
func keepSaid(t *testing.T, tr *trial) subject {
	t.Helper()
	tr.said = contents(t, tr.dir)
	return tr
}

// keepLines remembers the lines of the conversation and of cold storage. The line that stands
// for what left goes with `uncompact`.
func keepLines(t *testing.T, tr *trial) subject {
	t.Helper()
	tr.stood = map[string]bool{}
	now := soundHoldings(t, tr.dir)
	for _, in := range []map[string]int{now.talk, now.cold} {
		for line := range in {
			if tr.change.args != "uncompact" || !strings.Contains(line, `"kind":"summary"`) {
				tr.stood[line] = true
			}
		}
	}
	if len(tr.stood) < 30 {
		t.Fatalf("%v: only %d lines were said", tr, len(tr.stood))
	}
	return tr
}
