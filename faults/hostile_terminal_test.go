//go:build linux

package faults_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// On a terminal, what is printed verbatim for programs is fit for it.
func TestHostileWordsOnTerminal(t *testing.T) {
	tree := newSessionTree(t)
	s := suite{
		base: tree.dir, act: onTerminal, checks: []check{after(isFit), after(saysSomething)},
		invocations: invocations("all: assemble --query mortar; sessions summary; fragments show FRAGMENT", "FRAGMENT", strings.TrimSuffix(filepath.Base(tree.fragment), ".md")),
	}
	for _, h := range tree.hazards() {
		if strings.HasPrefix(h.what, "the words") || h.what == "rubbish" {
			s.hazards = append(s.hazards, h)
		}
	}
	s.run(t)
}

func saysSomething(s *setup, r run) { s.must(r, strings.TrimSpace(r.out) != "", "it says nothing") }

// onTerminal runs the command where it says what it says to a terminal.
func onTerminal(s *setup) run {
	ours, theirs, err := terminal()
	if err != nil {
		s.Skipf("SKIPPED: no terminal can be had: %v", err)
	}
	defer ours.Close()
	said := make(chan string)
	go func() { // until nobody has the other end
		text, _ := io.ReadAll(ours)
		said <- string(text)
	}()
	cmd := s.cmd
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	cmd.Stdout, cmd.Stderr = theirs, theirs
	if err := cmd.Run(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() < 0 {
		s.Errorf("%q: %v", cmd.Args, err)
	}
	theirs.Close()
	return run{args: s.invocation.args, out: strings.ReplaceAll(<-said, "\r\n", "\n")} // the terminal's own
}

// terminal returns both ends of a terminal.
func terminal() (ours, theirs *os.File, err error) {
	if ours, err = os.OpenFile("/dev/ptmx", os.O_RDWR, 0); err != nil {
		return nil, nil, err
	}
	number, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		ours.Close()
	}
	return ours, theirs, err
}
