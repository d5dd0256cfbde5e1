//go:build linux

package faults_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

const (
	config = ".forgemind/config.json"
	record = ".forgemind/decisions/DEC-EVIL01.json"
	talk   = ".forgemind/context/messages.jsonl"
)

// A hazard is hostile content at one place of a tree.
type hazard struct {
	topic       string
	what        string
	place       string // what the content replaces; "" if put gets the tree and changes it
	put         content
	harm        harm
	invocations []invocation // the commands that are run on it; nil if its suite selects them
	n           int          // its number in its suite
}

func (h hazard) String() string {
	name := fmt.Sprintf("%.60q at %.60q", h.what, h.place)
	return strings.TrimSuffix(strings.NewReplacer(`\"`, "'", `"`, "").Replace(name), " at ")
}

// An invocation is a command that is run on a tree with a hazard.
type invocation struct {
	topics []string // of hazards; also "all" if it is run on each, "only" if it is run on no other
	args   []string
	stdin  string       // ROOT is the project directory, TRANSCRIPT a file beside it
	agent  string       // whose hook it is; "" for none
	then   []invocation // what is run after it on the same tree
}

// invocations parses a table of invocations. A line has topics, a colon, and commands that
// parse parses.
func invocations(table string, oldnew ...string) (all []invocation) {
	for line := range strings.Lines(strings.TrimSpace(table)) {
		topics, commands, _ := strings.Cut(line, ": ")
		for _, args := range parse(commands, oldnew...) {
			all = append(all, invocation{topics: strings.Fields(topics), args: args})
		}
	}
	return all
}

// A suite has the hazards of one tree, the invocations for them, and what must hold.
type suite struct {
	base        string // the tree
	hazards     hazards
	invocations []invocation
	mine        int                               // a hazard gets one in so many invocations of its topic,
	others      int                               // and one in so many of the others; 0 for none
	part        int                               // of these one in so many is run; 0 for all
	home        bool                              // the commands are those of a user with a home beside the tree
	act         func(s *setup) run                // runs the command; nil if nothing is special
	watches     func(n, i int, v invocation) bool // reports whether the i-th invocation for the n-th hazard is repeated under strace
	checks      []check
}

// run puts each hazard into a copy of the tree for each invocation for it.
func (s suite) run(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil && s.watches != nil {
		t.Error("SKIPPED: strace is not installed; what is opened, executed and connected is not watched")
		s.watches = nil
	}
	for n := range s.hazards {
		s.hazards[n].n = n
	}
	if s.act == nil {
		s.act = func(s *setup) run { return execute(s.T, s.cmd, hang) }
	}
	var commands atomic.Int32
	inTwo(s.hazards, func(h hazard) {
		t.Run(strings.ReplaceAll(h.String(), "/", "_"), func(t *testing.T) {
			for i, v := range s.selection(h) {
				commands.Add(1)
				s.setup(t, h, v).run()
				if s.watches != nil && s.watches(h.n, i, v) {
					s.setup(t, h, v).watch()
				}
			}
		})
	})
	t.Logf("%d hazards, %d commands run on them", len(s.hazards), commands.Load())
}

// selection returns the invocations for a hazard: those that every hazard gets, those of
// its topic, then others.
func (s *suite) selection(h hazard) []invocation {
	if h.invocations != nil {
		return h.invocations
	}
	var all, mine, others []invocation
	for i, v := range s.invocations {
		another := s.others > 0 && (h.n+i)%s.others == 0
		switch {
		case slices.Contains(v.topics, "all"):
			all = append(all, v)
		case slices.Contains(v.topics, h.topic):
			if another || (h.n+i)%s.mine == 0 {
				mine = append(mine, v)
			}
		case another && !slices.Contains(v.topics, "only"):
			others = append(others, v)
		}
	}
	selection := slices.Concat(all, mine, others)
	if s.part < 2 {
		return selection
	}
	var some []invocation
	for i := h.n % s.part; i < len(selection); i += s.part {
		some = append(some, selection[i])
	}
	return some
}

// A setup is a copy of a tree with a hazard, a directory beside it, and a command.
type setup struct {
	*testing.T
	suite      *suite
	hazard     hazard
	invocation invocation
	dir, out   string
	cmd        *exec.Cmd // runs the invocation
}

// setup copies the tree, makes the directory outside, and puts the hazard into place.
func (s *suite) setup(t *testing.T, h hazard, v invocation) *setup {
	t.Helper()
	dir := copyTree(t, s.base)
	out := filepath.Join(filepath.Dir(dir), "outside")
	makeOutside(t, out)
	path := filepath.Join(dir, h.place)
	if h.place != "" {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err := h.put(path, out); err != nil {
		t.Errorf("%v: %v", h, err)
	}
	return &setup{T: t, suite: s, hazard: h, invocation: v, dir: dir, out: out}
}

// run runs the command and what comes after it.
func (s *setup) run() {
	s.Helper()
	defer os.RemoveAll(filepath.Dir(s.dir))
	for _, v := range append([]invocation{s.invocation}, s.invocation.then...) {
		s.invocation = v
		s.step()
	}
}

// step runs one command between what its checks look at.
func (s *setup) step() {
	s.Helper()
	s.cmd = s.command()
	var checks []func(run)
	for _, check := range s.suite.checks {
		checks = append(checks, check(s))
	}
	r := s.suite.act(s)
	for _, check := range checks {
		check(r)
	}
}

func (s *setup) command() *exec.Cmd {
	if s.suite.home {
		return s.commandAtHome()
	}
	cmd := command(s.dir, s.invocation.args...)
	if s.invocation.stdin != "" {
		cmd.Stdin = strings.NewReader(s.invocation.stdin)
	}
	return cmd
}
