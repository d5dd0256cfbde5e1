//go:build linux

package faults_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"
)

const (
	config = ".forgemind/config.json"
	record = ".forgemind/decisions/DEC-EVIL01.json"
	talk   = ".forgemind/context/messages.jsonl"
)

// A trap is a tree that a stranger made.
type trap struct {
	what string
	name string                       // what stands there instead of what should
	lay  func(path, out string) error // path is that of name, out is a directory outside of the tree
	kind damage
}

// What a trap does to commands, by the rules of exit codes.
type damage int

const (
	noTree  damage = iota // nothing can be done here
	noState               // what needs the State fails, the rest works
	noRoom                // what writes fails, what reads works
	flawed                // a finding, and everything works
	shrug                 // nothing to find fault with, or a matter of taste: no harm is all that counts
)

// The commands that are run on each trap.
var visits = [][]string{
	{"validate"}, {"status"}, {"triggers"}, {"doctor"}, {"watch", "--once"},
	{"layer", "2"}, {"set", "/notes/x", "1"}, {"decision", "add", "a text"},
}

// codes are the exit codes that a command may end with.
func (d damage) codes(command string) []int {
	change := slices.Contains([]string{"layer", "set", "decision"}, command)
	switch d {
	case noTree:
		if command == "doctor" || command == "validate" {
			return []int{1, 3}
		}
		return []int{3}
	case noState:
		switch {
		case change && command != "decision":
			return []int{1, 3}
		case command == "validate":
			return []int{1}
		case command == "watch":
			return []int{1, 3}
		}
	case noRoom:
		switch {
		case change:
			return []int{3}
		case command == "validate" || command == "doctor":
			return []int{0, 1}
		}
	case flawed:
		if command == "validate" {
			return []int{1}
		}
	}
	return []int{0, 1, 3}
}

// tells says whether the command has to name the file.
func (d damage) tells(command string, code int) bool {
	switch {
	case d == noTree || d == shrug:
		return false
	case command == "validate":
		return code != 0
	}
	return code == 3
}

func text(s string) func(path, out string) error { return long(s, "", 0, "") }

// long writes a text with a piece that is repeated. It does so in small steps: a
// child's memory is only known where it is more than ours.
func long(head, piece string, times int, tail string) func(path, out string) error {
	return func(path, _ string) error {
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		w := bufio.NewWriterSize(f, 1<<16)
		w.WriteString(head)
		atOnce := max(1, 1<<12/max(1, len(piece)))
		pieces := strings.Repeat(piece, atOnce)
		for range times / atOnce {
			w.WriteString(pieces)
		}
		w.WriteString(strings.Repeat(piece, times%atOnce))
		w.WriteString(tail)
		return errors.Join(w.Flush(), f.Close())
	}
}

// own is the most memory that this process had, in MiB.
func own() int {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return int(usage.Maxrss >> 10)
}

func linkTo(target string) func(path, out string) error {
	return func(path, out string) error { return os.Symlink(filepath.Join(out, target), path) }
}

func fifo(path, _ string) error { return syscall.Mkfifo(path, 0o666) }

func sparse(size int64) func(path, out string) error {
	return func(path, _ string) error {
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			return err
		}
		return os.Truncate(path, size)
	}
}

func socket(path, _ string) error {
	// Names of sockets are short: bind it elsewhere and move it.
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: dir + "/s", Net: "unix"})
	if err != nil {
		return err
	}
	l.SetUnlinkOnClose(false)
	defer l.Close()
	return os.Rename(dir+"/s", path)
}

// stateWith is a valid State with a member's value replaced, and one more.
func stateWith(layer, more string) string {
	return `{"version": "1.0", "schema": "forgemind-context-v1",
  "metadata": {"timestamp": "2026-11-20T10:00:00Z", "session_id": "s-1"},
  "role": {"agent": "A", "agent_id": "A-1", "mode": "Boss Mode"},
  "project": {"name": "x", "layer_name": "IDEA", "clarity": 0, "current_layer": ` + layer + `},
  "context_window": {"usage_percent": 0, "used_tokens": 0}` + more + "}\n"
}

func traps() []trap {
	million := func(before, after string) func(path, out string) error {
		return long(before, "{},", 999_999, "{}"+after)
	}
	head, tail, _ := strings.Cut(stateWith("0", `, "x": @`), "@")
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	line := `{"msg_id":"m","timestamp":"2026-11-20T10:00:00Z","role":"user","content":"` + strings.Repeat("x", 900) + `"}` + "\n"
	nested := strings.Repeat("(", 3000) + "1" + strings.Repeat(")", 3000)
	all := []trap{
		{"an empty folder", ".forgemind", func(path, _ string) error { return nil }, noTree},
		{"a file called .forgemind", ".forgemind", text("x"), noTree},
		{"a FIFO called .forgemind", ".forgemind", fifo, noTree},
		{"a link to a tree outside", ".forgemind", linkTo("tree/.forgemind"), noTree},
		{"a link to nowhere", ".forgemind", linkTo("nothing"), noTree},

		{"huge JSON", state, long(head+`"`, "x", 9<<20, `"`+tail), noState},
		{"a bomb of ten thousand levels", state, text(stateWith("0", `, "x": `+deep)), noState},
		{"a million objects", state, million(strings.TrimSuffix(head, `"x": `)+`"pending_actions": [`, "]"+tail), flawed},
		{"1e3000000", state, text(stateWith("1e3000000", "")), flawed},
		{"1e-3000000", state, text(stateWith("1e-3000000", "")), flawed},
		{"duplicate keys", state, text(stateWith("0", `, "project": {"current_layer": 5}`)), flawed},
		{"not UTF-8", state, text(stateWith("0", ", \"x\": \"caf\xe9\"")), noState},
		{"nothing in it", state, text(""), flawed}, // the records say it all: it is shown again
		{"NULs", state, sparse(5000), flawed},
		{"an array", state, text("[]\n"), noState},
		{"escapes for the terminal", state, text(stateWith("0", ", \"\x1b]0;x\x07\x1b[31m\": \"\x1b[2J\"")), noState},
		{"escaped escapes", state, text(stateWith(`"\u001b[2J\u009b\u202e"`, "")), flawed},
		{"a FIFO", state, fifo, noState},
		{"a socket", state, socket, noState},
		{"a directory", state, func(path, _ string) error { return os.Mkdir(path, 0o755) }, noState},
		{"a link out", state, linkTo("secret.json"), noState},
		{"a hard link", state, func(path, out string) error { return os.Link(filepath.Join(out, "secret.json"), path) }, noState},
		{"a link to itself", state, func(path, _ string) error { return os.Symlink("current-context.json", path) }, noState},
		{"a link out instead of its folder", ".forgemind/context", linkTo("context"), noState},
		{"a file instead of its folder", ".forgemind/context", text("x"), noState},

		{"a FIFO", config, fifo, flawed},
		{"a link out", config, linkTo("secret.json"), flawed},
		{"a hard link", config, func(path, out string) error { return os.Link(filepath.Join(out, "secret.json"), path) }, flawed},
		{"an array", config, text("[]"), flawed},
		{"a number for triggers", config, text(`{"refresh_triggers": 5}`), flawed},
		{"a million triggers", config, million(`{"refresh_triggers": [`, `]}`), flawed},
		{"wrong types all over", config, text(`{"refresh_triggers": [{"name": 5, "condition": [], "actions": {}}], "agents": 7, "validation": [], "available_commands": "x"}`), flawed},
		{"a nested condition", config, text(`{"refresh_triggers": [{"name": "x", "enabled": true, "condition": "` + nested + ` == 1", "actions": []}]}`), flawed},
		{"a condition without an end", config, text(`{"refresh_triggers": [{"name": "x", "enabled": true, "condition": "all(1..100000000, {all(1..100000000, {true})})", "actions": ["rm -rf"]}]}`), flawed},

		{"a FIFO", record, fifo, flawed},
		{"a socket", record, socket, flawed},
		{"a link out", record, linkTo("secret.json"), flawed},
		{"half of one", record, text(`{"id": "DEC-EVIL01", "times`), flawed},
		{"an id that leads out", record, text(`{"id": "../../../../etc/passwd", "timestamp": "2026-11-20T10:00:00Z", "decision": "x", "immutable": true}`), flawed},
		{"control characters in a name", ".forgemind/decisions/a\nb\x1b[31m\x07.json", text(`{`), shrug},
		{"a name that is not UTF-8", ".forgemind/decisions/caf\xe9.json", text(`{`), shrug},
		{"a very long name", ".forgemind/decisions/" + strings.Repeat("n", 250) + ".json", text(`{`), shrug},

		{"16 MiB of lines", talk, long("", line, 16<<20/len(line), ""), shrug}, // they are compacted: that takes up to sixteen times as much memory
		{"600 MiB of NULs", talk, sparse(600 << 20), flawed},
		{"a terabyte", talk, sparse(1 << 40), flawed},
		{"a FIFO", talk, fifo, flawed},

		{"a FIFO", ".forgemind/.local", fifo, noRoom},
		{"a file", ".forgemind/.local", text("x"), noRoom},
		{"a link out", ".forgemind/.local", linkTo("local"), noRoom},
		{"a link out", ".forgemind/.local/lock", linkTo("secret.json"), noRoom},
		{"a hard link", ".forgemind/.local/lock", func(path, out string) error { return os.Link(filepath.Join(out, "secret.json"), path) }, noRoom},
		{"a FIFO", ".forgemind/.local/lock", fifo, noRoom},
	}
	for _, name := range []string{"holder", "acted.json", "counters.json", "incidents.jsonl", "watch.json", "watch.lock", "stage", "txn", "displaced", "last", "recovered", "trash", ".gitignore"} {
		name = ".forgemind/.local/" + name
		all = append(all, trap{"a link out", name, linkTo("local"), shrug}, trap{"a link to a file", name, linkTo("secret.json"), shrug}, trap{"a FIFO", name, fifo, shrug})
	}
	all = append(all, trap{"rubbish", ".forgemind/.local/acted.json", million(`{"version": 1, "triggers": [`, `]}`), shrug})
	all = append(all, trap{"a foreign transaction", ".forgemind/.local/txn/x", func(path, _ string) error {
		if err := os.Mkdir(path, 0o755); err != nil {
			return err
		}
		return os.WriteFile(path+"/COMMIT", []byte(`{"entries":[{"name":"../../outside/secret.json","do":"replace","file":"0","over":"none","data":"x"}]}`), 0o644)
	}, shrug})
	return all
}

// control are the characters that must not reach a terminal, apart from line
// ends: those that it obeys, and those that it hides.
var control = regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f-\x{9f}\x{ad}\x{200b}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2060}-\x{206f}\x{feff}\x{e0001}-\x{e007f}]`)

// A strangers' tree harms nobody: each command ends soon, with the right exit
// code and a message that names the file, and touches nothing outside.
func TestHostileTrees(t *testing.T) {
	base := newDir(t)
	succeed(t, base, "init")
	succeed(t, base, "set", "/notes/first", "0")
	succeed(t, base, "decision", "add", "the first decision")
	_, traced := exec.LookPath("strace")
	if traced != nil {
		t.Error("SKIPPED: strace is not installed; what is opened, executed and connected is not watched")
	}
	runs := make(chan int, 10_000)
	inTwo(traps(), func(tr trap) {
		for _, args := range visits {
			runs <- 1
			tr.visit(t, base, args)
			if traced == nil && slices.Contains([]string{"validate", "status", "watch"}, args[0]) {
				runs <- 1
				tr.watched(t, base, args)
			}
		}
	})
	t.Logf("%d traps, %d commands run on them", len(traps()), len(runs))
}

// set makes the tree with the trap, and what stands beside it.
func (tr trap) set(t *testing.T, base string) (dir, out string) {
	t.Helper()
	dir = copyTree(t, base)
	out = filepath.Join(filepath.Dir(dir), "outside")
	for _, name := range []string{"tree/.forgemind/context", "context", "local"} {
		if err := os.MkdirAll(filepath.Join(out, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"secret.json": "{\"secret\": \"" + outside + "\"}\n", "secret.md": "# " + outside + "\n", "secret.txt": outside, "hard.md": outside, "secret": outside, "secret.cache": outside,
		"secret.jsonl": `{"msg_id":"m","timestamp":"2026-11-20T10:00:00Z","role":"user","content":"` + outside + `"}` + "\n", "context/current-context.json": stateWith("0", ""),
		"tree/.forgemind/context/current-context.json": stateWith("0", ""), "local/lock": "", "local/COMMIT": "x",
	} {
		if err := os.WriteFile(filepath.Join(out, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, tr.name)
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	os.MkdirAll(filepath.Dir(path), 0o755)
	if err := tr.lay(path, out); err != nil {
		t.Errorf("%s at %q: %v", tr.what, tr.name, err)
	}
	return dir, out
}

// canary is everything about a directory that a stranger's tree must not change.
func canary(t *testing.T, out string) string {
	t.Helper()
	var b strings.Builder
	filepath.WalkDir(out, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			t.Error(err)
			return err
		}
		info, err := entry.Info()
		if err != nil {
			t.Error(err)
			return err
		}
		text, _ := os.ReadFile(path)
		fmt.Fprintln(&b, path, info.Mode(), info.ModTime(), string(text))
		return nil
	})
	return b.String()
}

// visit runs a command on the trap, and says how long that took.
func (tr trap) visit(t *testing.T, base string, args []string) time.Duration {
	t.Helper()
	dir, out := tr.set(t, base)
	defer os.RemoveAll(filepath.Dir(dir))
	return tr.visitIn(t, dir, out, args).took
}

// visitIn runs a command on the trap that is set in dir.
func (tr trap) visitIn(t *testing.T, dir, out string, args []string) run {
	t.Helper()
	before := canary(t, out)
	planted := tr.planted(dir)
	r := forgemind(t, dir, args...)
	how := fmt.Sprintf("%s at %.60q: %v", tr.what, tr.name, r)
	if !slices.Contains(tr.kind.codes(args[0]), r.code) {
		t.Errorf("%s  not one of exit %v", how, tr.kind.codes(args[0]))
	}
	said := r.out + r.err
	if tr.kind.tells(args[0], r.code) && !strings.Contains(said, filepath.Base(tr.name)) {
		t.Errorf("%s  it does not name the file", how)
	}
	if r.code != 0 && strings.TrimSpace(said) == "" {
		t.Errorf("%s  it says nothing", how)
	}
	if bad := control.FindString(said); !verbatim(args) && (bad != "" || !utf8.ValidString(said)) {
		t.Errorf("%s  a terminal gets %q", how, bad)
	}
	if strings.Contains(said, outside) || strings.Contains(said, "root:x:0") {
		t.Errorf("%s  it tells what is outside", how)
	}
	if strings.Contains(planted, marker) && !strings.Contains(tr.name, "/.local/") && !keptWords(dir) {
		t.Errorf("%s  what stood there is gone", how)
	}
	if r.said > 1<<20 {
		t.Errorf("%s  it says %d bytes", how, r.said)
	}
	if r.rss > 400 && r.rss > own() {
		t.Errorf("%s  it took %d MiB", how, r.rss)
	}
	if after := canary(t, out); after != before {
		t.Errorf("%s  outside it became\n%s", how, after)
	}
	failed := r.code == 3 || r.code == 1 && args[0] != "watch"     // whose findings keep no trigger from firing
	if failed && args[0] != "load" && tr.planted(dir) != planted { // that an artifact cannot be loaded is noted
		t.Errorf("%s  it failed and yet changed the file", how)
	}
	return r
}

// verbatim says whether a command prints a text as it is where no terminal gets
// it, for programs; TestHostileWordsOnTerminal is about those.
func verbatim(args []string) bool {
	return args[0] == "assemble" || slices.Equal(args, []string{"sessions", "summary"})
}

// planted says what stands at the name of the trap.
func (tr trap) planted(dir string) string {
	path := filepath.Join(dir, tr.name)
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

// watched runs a command that reads under strace: it executes nothing,
// connects to nothing, and opens nothing outside for writing.
func (tr trap) watched(t *testing.T, base string, args []string) {
	t.Helper()
	dir, out := tr.set(t, base)
	defer os.RemoveAll(filepath.Dir(dir))
	log := filepath.Join(filepath.Dir(dir), "log")
	cmd := exec.Command("strace", append([]string{"-f", "-qq", "-y", "-s", "300", "-o", log, "-e", "trace=execve,connect,socket,open,creat,openat,openat2", program}, args...)...)
	cmd.Dir = dir
	r := execute(t, cmd, 2*hang)
	lines, err := os.ReadFile(log)
	if err != nil {
		t.Error(err)
	}
	programs := 0
	begun := map[string]string{} // by thread: a call that another thread's line came into
	for line := range bytes.Lines(lines) {
		line := string(line)
		thread, _, _ := strings.Cut(line, " ")
		if head, ok := strings.CutSuffix(line, " <unfinished ...>\n"); ok {
			begun[thread] = head
			continue
		}
		if _, rest, ok := strings.Cut(line, " resumed>"); ok {
			line = begun[thread] + rest
		}
		line = aligned.ReplaceAllString(line, ") = ") // strace sets results below one another
		writes := strings.Contains(line, "O_WRONLY") || strings.Contains(line, "O_RDWR") || strings.Contains(line, "O_CREAT")
		failed := strings.Contains(line, ") = -1 ")
		switch {
		case strings.Contains(line, "execve("):
			programs++
		case strings.Contains(line, "connect(") || strings.Contains(line, "socket("):
			t.Errorf("%s at %q: %q: %s", tr.what, tr.name, args, line)
		case !failed && (strings.Contains(line, out+"/") || strings.Contains(line, "/etc/passwd")):
			t.Errorf("%s at %q: %q opened what is outside: %s", tr.what, tr.name, args, line)
		case writes && !failed && !inside(dir, line) && !strings.Contains(line, "/dev/null"):
			t.Errorf("%s at %q: %q opened outside for writing: %s", tr.what, tr.name, args, line)
		}
	}
	if programs != 1 {
		t.Errorf("%s at %q: %q executed %d programs: %v", tr.what, tr.name, args, programs-1, r)
	}
}

var aligned = regexp.MustCompile(`\)\s+= `)

// opened is what strace -y says of an open file.
var opened = regexp.MustCompile(`\) = \d+<([^>]*)>`)

func inside(dir, line string) bool {
	m := opened.FindStringSubmatch(line)
	return m != nil && (m[1] == dir || strings.HasPrefix(m[1], dir+"/"))
}

// What nobody may read is named, with the cause.
func TestUnreadable(t *testing.T) {
	needs(t, "setpriv")
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: only root can become somebody else")
	}
	base := newDir(t)
	succeed(t, base, "init")
	for _, name := range []string{state, config, ".forgemind/context", ".forgemind/decisions", ".forgemind/.local", ".forgemind/.local/lock", ".forgemind"} {
		for _, args := range visits {
			dir := copyTree(t, base)
			os.MkdirAll(filepath.Join(dir, ".forgemind/decisions"), 0o755)
			filepath.WalkDir(dir, func(path string, _ os.DirEntry, _ error) error { return os.Lchown(path, 65534, 65534) })
			if err := os.Chmod(filepath.Join(dir, name), 0); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("setpriv", append([]string{"--reuid=65534", "--regid=65534", "--clear-groups", program}, args...)...)
			cmd.Dir = dir
			r := execute(t, cmd, hang)
			change := slices.Contains([]string{"layer", "set", "decision"}, args[0])
			switch {
			case args[0] == "validate" && r.code == 0 && !strings.Contains(name, ".local"),
				change && r.code == 0 && name != config && name != ".forgemind/decisions":
				t.Errorf("%s unreadable: %v", name, r)
			case r.code == 3 && (!strings.Contains(r.err, "permission denied") || !strings.Contains(r.err, ".forgemind")):
				t.Errorf("%s unreadable: no path or no cause: %v", name, r)
			case r.code != 0 && r.code != 1 && r.code != 3:
				t.Errorf("%s unreadable: %v", name, r)
			}
		}
	}
}

// A folder that the system does not show may be the tree: no command takes it for
// missing, no second tree is made, and hooks pass it over.
func TestTreeThatCannotBeLookedAt(t *testing.T) {
	needs(t, "strace")
	for _, folder := range []string{".", "below"} {
		for _, args := range append([][]string{{"init"}, {"init", "--layout", "quaid"}, {"hook", "run", "SessionStart", "--agent", "claude"}}, visits...) {
			dir := newDir(t)
			succeed(t, dir, "init")
			if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
				t.Fatal(err)
			}
			hidden := filepath.Join(dir, ".forgemind")
			cmd := exec.Command("strace", append([]string{"-f", "-qq", "-o", os.DevNull, "-P", hidden,
				"-e", "inject=newfstatat,statx,lstat:error=EIO", program}, args...)...)
			cmd.Dir = filepath.Join(dir, folder)
			r := execute(t, cmd, 2*hang)
			switch {
			case args[0] == "hook":
				if r.code != 0 || r.said > 0 {
					t.Errorf("in %s: %v", folder, r)
				}
			case r.code != 3 || !strings.Contains(r.err, hidden) || !strings.Contains(r.err, "input/output error") || strings.Contains(r.err, "hint:"):
				t.Errorf("in %s: %v", folder, r)
			}
			for _, second := range []string{"below/.forgemind", "below/.quaid", ".quaid"} {
				if _, err := os.Lstat(filepath.Join(dir, second)); err == nil {
					t.Errorf("in %s: %v made %s", folder, r, second)
				}
			}
		}
	}
}
