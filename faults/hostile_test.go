//go:build linux

package faults_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	topic  string
	what   string
	place  string // what the content replaces; "" if put gets the tree and changes it
	put    content
	harm   harm
	visits []visit // the commands that are run on it; nil if its suite selects them
	n      int     // its number in its suite
}

func (h hazard) String() string {
	return strings.NewReplacer(`\"`, "'", `"`, "").Replace(fmt.Sprintf("%.60q at %.60q", h.what, h.place))
}

// A visit is a command that is run on a tree with a hazard.
type visit struct {
	topics []string // of hazards; also "all" if it is run on each, "only" if it is run on no other
	args   []string
	stdin  string  // ROOT is the project directory, TRANSCRIPT a file beside it
	agent  string  // whose hook it is; "" for none
	then   []visit // what is run after it on the same tree
}

var argument = regexp.MustCompile(`"[^"]*"|\S+`)

// visits parses a table of visits. A line has topics, a colon, and commands with
// semicolons between them; oldnew are words and what they stand for.
func visits(table string, oldnew ...string) (all []visit) {
	words := strings.NewReplacer(append(oldnew, `"`, "")...)
	for line := range strings.Lines(strings.TrimSpace(table)) {
		topics, commands, _ := strings.Cut(line, ": ")
		for command := range strings.SplitSeq(commands, ";") {
			v := visit{topics: strings.Fields(topics)}
			for _, arg := range argument.FindAllString(command, -1) {
				v.args = append(v.args, words.Replace(arg))
			}
			all = append(all, v)
		}
	}
	return all
}

// A suite has the hazards of one tree, the visits to them, and what must hold.
type suite struct {
	base    string // the tree
	hazards hazards
	visits  []visit
	mine    int                          // a hazard gets one in so many visits of its topic,
	others  int                          // and one in so many of the others; 0 for none
	part    int                          // of these one in so many is run; 0 for all
	home    bool                         // the commands are those of a user with a home beside the tree
	act     func(s *scene) run           // runs the command; nil if nothing is special
	watches func(n, i int, v visit) bool // reports whether the i-th visit to the n-th hazard is repeated under strace
	checks  []check
}

// run puts each hazard into a copy of the tree for each visit to it.
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
		s.act = func(s *scene) run { return execute(s.T, s.cmd, hang) }
	}
	var commands atomic.Int32
	inTwo(s.hazards, func(h hazard) {
		t.Run(strings.ReplaceAll(h.String(), "/", "_"), func(t *testing.T) {
			for i, v := range s.selected(h) {
				commands.Add(1)
				s.scene(t, h, v).run()
				if s.watches != nil && s.watches(h.n, i, v) {
					s.scene(t, h, v).watch()
				}
			}
		})
	})
	t.Logf("%d hazards, %d commands run on them", len(s.hazards), commands.Load())
}

// selected returns the visits to a hazard: those that every hazard gets, those of
// its topic, then others.
func (s *suite) selected(h hazard) []visit {
	if h.visits != nil {
		return h.visits
	}
	var all, mine, others []visit
	for i, v := range s.visits {
		switch {
		case slices.Contains(v.topics, "all"):
			all = append(all, v)
		case slices.Contains(v.topics, h.topic):
			if (h.n+i)%s.mine == 0 {
				mine = append(mine, v)
			}
		case s.others > 0 && (h.n+i)%s.others == 0 && !slices.Contains(v.topics, "only"):
			others = append(others, v)
		}
	}
	selected := slices.Concat(all, mine, others)
	if s.part < 2 {
		return selected
	}
	var some []visit
	for i := h.n % s.part; i < len(selected); i += s.part {
		some = append(some, selected[i])
	}
	return some
}

// A scene is a copy of a tree with a hazard, a directory beside it, and a command.
type scene struct {
	*testing.T
	suite    *suite
	hazard   hazard
	visit    visit
	dir, out string
	cmd      *exec.Cmd // runs the visit
}

// scene copies the tree, makes the directory outside, and puts the hazard into place.
func (s *suite) scene(t *testing.T, h hazard, v visit) *scene {
	t.Helper()
	dir := copyTree(t, s.base)
	out := filepath.Join(filepath.Dir(dir), "outside")
	furnish(t, out)
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
	return &scene{T: t, suite: s, hazard: h, visit: v, dir: dir, out: out}
}

// run runs the command and what comes after it.
func (s *scene) run() {
	s.Helper()
	defer os.RemoveAll(filepath.Dir(s.dir))
	for _, v := range append([]visit{s.visit}, s.visit.then...) {
		s.visit = v
		s.step()
	}
}

// step runs one command between what its checks look at.
func (s *scene) step() {
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

func (s *scene) command() *exec.Cmd {
	if s.suite.home {
		return s.commandAtHome()
	}
	cmd := command(s.dir, s.visit.args...)
	if s.visit.stdin != "" {
		cmd.Stdin = strings.NewReader(s.visit.stdin)
	}
	return cmd
}
