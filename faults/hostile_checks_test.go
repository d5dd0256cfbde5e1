//go:build linux

package faults_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"
)

// A check looks at a tree before a command, and returns what looks at the tree and
// at the command afterwards.
type check func(s *setup) func(r run)

// after returns a check that needs nothing from before the command.
func after(look func(s *setup, r run)) check {
	return func(s *setup) func(run) { return func(r run) { look(s, r) } }
}

// must reports an error unless what a check expects is so.
func (s *setup) must(r run, ok bool, format string, args ...any) {
	s.Helper()
	if !ok {
		s.Errorf("%v  "+format, append([]any{r}, args...)...)
	}
}

var (
	// safetyChecks are the checks of all suites with hostile content.
	safetyChecks = []check{after(harmsNobody), touchesNothingOutside}
	// commandChecks are those of commands that people run.
	commandChecks = append([]check{after(endsAsItShould), keepsWords, changesNothingIfItFails}, safetyChecks...)
)

// A harm tells which commands have to work beside hostile content, and which have to fail.
type harm int

const (
	noTree    harm = iota // nothing can be done here
	noState               // what needs the State fails, the rest works, and what it would show is told
	noRoom                // what writes fails, what reads works
	flawed                // a finding, and everything works
	warned                // a warning, and everything works
	tolerated             // nothing to find fault with, or a matter of taste
)

func changes(command string) bool {
	return command == "layer" || command == "set" || command == "decision"
}

// codes returns the exit codes that a command may end with.
func (h harm) codes(command string) []int {
	change, validate := changes(command), command == "validate"
	switch {
	case h == noTree && (validate || command == "doctor"):
		return []int{1, 3}
	case h == noTree:
		return []int{3}
	case h == noState && (command == "set" || command == "watch"):
		return []int{1, 3}
	case (h == noState || h == flawed) && validate:
		return []int{1}
	case h == warned && validate:
		return []int{0}
	case h == noRoom && change:
		return []int{3}
	case h == noRoom && (validate || command == "doctor"):
		return []int{0, 1}
	}
	return []int{0, 1, 3}
}

// tells reports whether the command has to name the file.
func (h harm) tells(command string, code int) bool {
	switch {
	case h == noTree || h == tolerated:
		return false
	case command == "validate":
		return code != 0 || h == warned
	case h == noState && command == "layer": // recorded, or refused
		return true
	}
	return code == 3
}

// endsAsItShould checks the exit code, and what a command says.
func endsAsItShould(s *setup, r run) {
	harm, command := s.hazard.harm, s.invocation.args[0]
	s.must(r, slices.Contains(harm.codes(command), r.code), "not one of exit %v", harm.codes(command))
	named := strings.Contains(r.out+r.err, filepath.Base(s.hazard.place))
	s.must(r, named || !harm.tells(command, r.code), "it does not name the file")
	s.must(r, r.said <= mostSaid, "it says %d bytes", r.said)
}

func succeeds(s *setup, r run) { s.must(r, r.code == 0, "it fails") }

// namesTheCause checks that a failure has a path and a cause.
func namesTheCause(s *setup, r run) {
	named := strings.Contains(r.err, "permission denied") && strings.Contains(r.err, ".forgemind")
	s.must(r, named || r.code != 3, "no path or no cause")
}

// control are the characters that must not reach a terminal, apart from line
// ends: those that it obeys, and those that it hides.
var control = regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f-\x{9f}\x{ad}\x{200b}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2060}-\x{206f}\x{feff}\x{e0001}-\x{e007f}]`)

// harmsNobody checks that what a command says is fit for a terminal and tells nothing
// of what is outside, and that it is small.
func harmsNobody(s *setup, r run) {
	said := r.out + r.err
	s.must(r, r.code == 0 || strings.TrimSpace(said) != "", "it says nothing")
	s.must(r, !strings.Contains(said, outside) && !strings.Contains(said, "root:x:0"), "it tells what is outside")
	if !verbatim(s.invocation.args) {
		isFit(s, r)
	}
	isSmall(s, r)
}

// verbatim reports whether a command prints a text as it is where no terminal gets
// it, for programs; TestHostileWordsOnTerminal is about those.
func verbatim(args []string) bool {
	return args[0] == "assemble" || slices.Equal(args, []string{"sessions", "summary"})
}

func isFit(s *setup, r run) {
	bad := control.FindString(r.out + r.err)
	s.must(r, bad == "" && utf8.ValidString(r.out+r.err), "a terminal gets %q", bad)
}

func isSmall(s *setup, r run) { s.must(r, r.rss <= 400 || r.rss <= own(), "it took %d MiB", r.rss) }

// own returns the most memory that this process had, in MiB.
func own() int {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return int(usage.Maxrss >> 10)
}

// works checks that a command has a processor for no longer than a time.
func works(most func(v invocation) time.Duration) check {
	return after(func(s *setup, r run) { s.must(r, r.cpu <= most(s.invocation), "it works for %v", r.cpu) })
}

func touchesNothingOutside(s *setup) func(run) {
	before := s.beside()
	return func(r run) {
		now := s.beside()
		s.must(r, now == before, "outside it became\n%s\nnot\n%s", now, before)
	}
}

// beside describes what is beside the tree: the directory outside in full, and the
// files of the user's home but for the receipts there.
func (s *setup) beside() string {
	home, all := homeOf(s.dir), inventory(s.T, s.out)
	for path, info := range below(home, ignore) {
		if !info.IsDir() && !strings.HasPrefix(path, home+"/.local/") {
			all += fmt.Sprintln(path, info.Mode(), info.Size())
		}
	}
	return all
}

// keepsWords checks that the words that stood in the place are still somewhere.
func keepsWords(s *setup) func(run) {
	stood := strings.Contains(s.placed(), marker) && !strings.Contains(s.hazard.place, "/.local/")
	return func(r run) {
		s.must(r, !stood || len(filesWith(s.dir, marker)) > 0, "what stood there is gone")
	}
}

func changesNothingIfItFails(s *setup) func(run) {
	before := s.placed()
	return func(r run) {
		command := s.invocation.args[0]
		failed := r.code == 3 || r.code == 1 && command != "watch" // whose findings keep no trigger from firing
		mends := command == "load" || s.repairs()                  // that an artifact cannot be loaded is noted
		s.must(r, !failed || mends || s.placed() == before, "it failed and yet changed the file")
	}
}

// repairs reports whether the command removes what is there twice, and may find that
// the rest is wrong.
func (s *setup) repairs() bool {
	return slices.Contains(s.invocation.args, "--fix") && strings.HasSuffix(s.hazard.what, "that are none")
}

// placed describes what is at the place of the hazard.
func (s *setup) placed() string {
	path := filepath.Join(s.dir, s.hazard.place)
	info, err := os.Lstat(path)
	if err != nil {
		return err.Error()
	}
	if !info.Mode().IsRegular() || info.Size() > 1<<20 {
		return fmt.Sprint(info.Mode(), info.Size())
	}
	text, _ := os.ReadFile(path)
	return fmt.Sprint(info.Mode(), string(text))
}

// takesNothingIn checks that words from outside come into no file of the tree.
func takesNothingIn(s *setup) func(run) {
	before := filesWith(s.dir, outside)
	return func(r run) {
		now := filesWith(s.dir, outside)
		s.must(r, len(now) <= len(before), "what stands outside came into %q", now)
	}
}

// openFile matches what strace -y says of an open file.
var openFile = regexp.MustCompile(`\) = \d+<([^>]*)>`)

// watch runs the command under strace: it executes nothing, connects to nothing,
// and opens nothing outside.
func (s *setup) watch() {
	s.Helper()
	defer os.RemoveAll(filepath.Dir(s.dir))
	log := filepath.Join(filepath.Dir(s.dir), "log")
	r := execute(s.T, strace(s.command(), log, "-y", "-s", "300", "-e", "trace=execve,connect,socket,open,creat,openat,openat2"), 2*hang)
	programs := 0
	for _, line := range wholeCalls(read(s.T, "/", log)) {
		switch failed := strings.Contains(line, ") = -1 "); {
		case strings.Contains(line, "execve("):
			programs++
			s.must(r, programs == 1 || s.suite.home && asksGit(line), "it executes a program: %s", line)
		case strings.Contains(line, "connect(") || strings.Contains(line, "socket("):
			s.Errorf("%v  it asks somebody: %s", r, line)
		case !failed && (strings.Contains(line, s.out+"/") || strings.Contains(line, "/etc/passwd")):
			s.Errorf("%v  it opened what is outside: %s", r, line)
		case !failed && writes(line) && !s.mayWrite(line):
			s.Errorf("%v  it opened outside for writing: %s", r, line)
		}
	}
	s.must(r, programs > 0, "nothing is in the log of strace")
}

// asksGit reports whether a line is git that runs nothing of the tree's.
func asksGit(line string) bool {
	return strings.Contains(line, `/git", ["git", `) && strings.Contains(line, "core.hooksPath=/dev/null") && strings.Contains(line, "core.fsmonitor=false")
}

func writes(line string) bool {
	return strings.Contains(line, "O_WRONLY") || strings.Contains(line, "O_RDWR") || strings.Contains(line, "O_CREAT")
}

// mayWrite reports whether what a line opened is the command's to write: what is in
// the tree, and for a user at home the receipts, or all settings.
func (s *setup) mayWrite(line string) bool {
	if m := openFile.FindStringSubmatch(line); m != nil && (m[1] == s.dir || strings.HasPrefix(m[1], s.dir+"/")) {
		return true
	}
	atHome := s.suite.home && (strings.Contains(line, "/home/.local/state/forgemind") || slices.Contains(s.invocation.topics, "settings"))
	return strings.Contains(line, "/dev/null") || atHome
}
