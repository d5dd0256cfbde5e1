//go:build linux

package faults_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// asNobody runs the command as a user who owns nothing else.
func asNobody(s *setup) run {
	cmd := exec.Command("setpriv", append([]string{"--reuid=65534", "--regid=65534", "--clear-groups", program}, s.invocation.args...)...)
	cmd.Dir = s.dir
	return execute(s.T, cmd, hang)
}

func needsNobody(t *testing.T) {
	t.Helper()
	needs(t, "setpriv")
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: only root can become somebody else")
	}
}

// What nobody may read is named, with the cause.
func TestUnreadable(t *testing.T) {
	needsNobody(t)
	base := newDir(t)
	succeed(t, base, "init", "--full", "--layout", "forgemind")
	os.MkdirAll(filepath.Join(base, ".forgemind/decisions"), 0o755)
	s := suite{base: base, invocations: treeInvocations, act: asNobody, checks: []check{after(noticesDenial), after(namesTheCause)}}
	for _, name := range []string{state, config, ".forgemind/context", ".forgemind/decisions", ".forgemind/.local", ".forgemind/.local/lock", ".forgemind"} {
		s.hazards.add("", name, "", deny(name, 0))
	}
	s.run(t)
}

// noticesDenial checks that no command takes what it may not read for missing.
func noticesDenial(s *setup, r run) {
	command, name := s.invocation.args[0], s.hazard.what
	missed := command == "validate" && !strings.Contains(name, ".local") ||
		changes(command) && name != config && name != ".forgemind/decisions"
	s.must(r, slices.Contains([]int{1, 3}, r.code) || r.code == 0 && !missed, "it does not notice")
}

// What nobody may read or write is named with the cause, and nothing is lost for
// it.
func TestForgettingWithoutPermission(t *testing.T) {
	needsNobody(t)
	base := answering(t)
	succeed(t, base, "recover", "--query", "the plumb and the kiln")
	s := suite{
		base: base, act: asNobody, checks: []check{after(endsAsDenied), after(namesTheCause), keepsWhatWasSaid(soundHoldings(t, base))},
		invocations: invocations(`
all: compact --now --strategy relevance --budget 300; uncompact; recover --query "the plumb and the kiln"; cold-storage expire; cold-storage verify; tune; drops
all: health; config set RELEVANCE_CUTOFF 0.2; message add ASKING --agent user; reset --name tree; validate
`, "ASKING", asking),
	}
	for _, name := range []string{".forgemind/cold-storage", ".forgemind/cold-storage/*", ".forgemind/cold-storage/*/*.jsonl", ".forgemind/logs/context", ".forgemind/logs/context/*", knobsFile} {
		s.hazards.add("", name+" may not be read", "", deny(name, 0))
		s.hazards.add("", name+" may not be written", "", deny(name, 0o555))
	}
	s.run(t)
}

func endsAsDenied(s *setup, r run) {
	finds := slices.Contains([]string{"validate", "cold-storage", "uncompact"}, s.invocation.args[0])
	s.must(r, r.code == 0 || r.code == 3 || r.code == 1 && finds, "not the right exit code")
}

// A folder that the system does not show may be the tree: no command takes it for
// missing, no second tree is made, and hooks pass it over.
func TestTreeThatCannotBeLookedAt(t *testing.T) {
	needs(t, "strace")
	base := newDir(t)
	succeed(t, base, "init")
	s := suite{
		base: base, act: underHiddenTree, checks: []check{after(passesItOver)},
		invocations: append(invocations("all: init; init --layout quaid; hook run SessionStart --agent claude"), treeInvocations...),
	}
	for _, folder := range []string{".", "below"} {
		s.hazards.add("", folder, "", func(dir, _ string) error { return os.MkdirAll(filepath.Join(dir, folder), 0o755) })
	}
	s.run(t)
}

// underHiddenTree runs the command in the folder that the hazard is about, and has
// the system fail where it is asked for the tree.
func underHiddenTree(s *setup) run {
	cmd := strace(s.cmd, os.DevNull, "-P", filepath.Join(s.dir, ".forgemind"), "-e", "inject=newfstatat,statx,lstat:error=EIO")
	cmd.Dir = filepath.Join(s.dir, s.hazard.what)
	return execute(s.T, cmd, 2*hang)
}

// passesItOver checks what a command says of the tree, and that it makes no other.
func passesItOver(s *setup, r run) {
	if s.invocation.args[0] == "hook" {
		s.must(r, r.code == 0 && r.said == 0, "the hook is not silent")
	} else {
		named := strings.Contains(r.err, filepath.Join(s.dir, ".forgemind")) && strings.Contains(r.err, "input/output error")
		s.must(r, r.code == 3 && named && !strings.Contains(r.err, "hint:"), "it does not tell what is wrong")
	}
	for _, second := range []string{"below/.forgemind", "below/.quaid", ".quaid"} {
		_, err := os.Lstat(filepath.Join(s.dir, second))
		s.must(r, err != nil, "it made %s", second)
	}
}
