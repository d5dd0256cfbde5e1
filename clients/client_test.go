//go:build clients && unix

package clients

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

var version = flag.String("version", "", "`version` of the clients to try instead of their own")

const node = "node@22.23.3" // what runs those clients that are scripts

// A client is an agent's program, as the story runs it.
type client struct {
	agent, pkg, version, program string                                          // as forgemind, npm and the shell name it
	settings                     func(project, model string) (name, text string) // below the home; nil for none
	environment                  func(model string) []string
	arguments                    func(prompt string, goesOn bool) []string
	compaction                   string // the prompt that begins one; "" where a full window does
	window                       int    // tokens that the model says a request had, so that the client compacts

	read func(file string) call
	edit func(file, old, new string) call
	run  func(command string) call

	question *call                                 // asks the user which pear; nil where the client asks only at a terminal
	answer   func(s *scene, prompt, answer string) // runs a turn in which it is answered
}

// A scene is a client in a project of its own.
type scene struct {
	*testing.T
	client
	model         *model
	home, project string
	path          []string // of the client and its tools
}

// begin installs a client and makes a project with a tree, which has a goal and a decision.
func begin(t *testing.T, c client) *scene {
	t.Helper()
	c.version = cmp.Or(*version, c.version)
	dir := t.TempDir()
	s := &scene{T: t, client: c, model: newModel(t, c.window), home: filepath.Join(dir, "home"), project: filepath.Join(dir, "orchard")}
	s.path = append([]string{filepath.Dir(forgemind), s.install(c.pkg + "@" + c.version), s.install(node)}, filepath.SplitList(os.Getenv("PATH"))...)
	if c.settings != nil {
		name, text := c.settings(s.project, s.model.server.URL)
		s.write(filepath.Join(s.home, name), text)
	}
	if err := os.MkdirAll(filepath.Join(s.home, "tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.write(filepath.Join(s.project, "walls/south.md"), "# South wall\n\nStones: granite.\n")
	s.command("git init -q")
	s.command("forgemind init")
	s.command("forgemind goal add", "Plant the south wall", "--priority", "high")
	s.command("forgemind decision add", "Granite only for walls/south.md", "--rationale", "it lies there already")
	return s
}

// install installs a package of npm and returns the folder of its programs.
func (s *scene) install(pkg string) string {
	s.Helper()
	dir := s.TempDir()
	for _, arguments := range [][]string{{"install", "--no-audit", "--no-fund", "--loglevel=error", pkg}, {"list", "--depth=0"}} {
		command := exec.CommandContext(s.Context(), "npm", append(arguments, "--prefix", dir)...)
		out, err := command.CombinedOutput()
		if err != nil {
			s.Fatalf("%v: %v\n%s", command, err, out)
		}
		s.Logf("%s", out)
	}
	return filepath.Join(dir, "node_modules/.bin")
}

func (s *scene) write(name, text string) {
	s.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		s.Fatal(err)
	}
}

// command runs a program, whose words are separated by spaces, with further arguments, and returns
// what it prints.
func (s *scene) command(words string, more ...string) string {
	s.Helper()
	arguments := append(strings.Fields(words), more...)
	out, err := s.process(arguments[0], arguments[1:]...).CombinedOutput()
	if err != nil {
		s.Fatalf("%s: %v\n%s", words, err, out)
	}
	return string(out)
}

// process returns a process in the project, with the environment of the client. After three minutes
// it is killed, with those of its process group.
func (s *scene) process(program string, arguments ...string) *exec.Cmd {
	for _, dir := range s.path {
		if name, err := exec.LookPath(filepath.Join(dir, program)); err == nil {
			program = name
			break
		}
	}
	ctx, cancel := context.WithTimeout(s.Context(), 3*time.Minute)
	s.Cleanup(cancel)
	command := exec.CommandContext(ctx, program, arguments...)
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	command.WaitDelay = 10 * time.Second
	command.Dir = s.project
	proxy := s.model.server.URL
	command.Env = append([]string{"HOME=" + s.home, "TMPDIR=" + filepath.Join(s.home, "tmp"), "PATH=" + strings.Join(s.path, ":"), "TERM=xterm", "LANG=C.UTF-8", "SHELL=/bin/bash", "USER=tester",
		"HTTP_PROXY=" + proxy, "HTTPS_PROXY=" + proxy, "http_proxy=" + proxy, "https_proxy=" + proxy,
		"NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost"}, s.environment(proxy)...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return command
}

// turn runs the client for one prompt to its end.
func (s *scene) turn(goesOn bool, prompt string) {
	s.Helper()
	command := s.process(s.program, s.arguments(prompt, goesOn)...)
	if out, err := command.CombinedOutput(); err != nil {
		s.Fatalf("%s, %q: %v\n%s", s.program, prompt, err, out)
	}
	s.Logf("%q: %d requests", prompt, len(s.model.asked()))
}

// kill runs the client for a prompt whose answer begins with a command that does not end, and kills
// the client while the command runs.
func (s *scene) kill(prompt string) {
	s.Helper()
	waits := filepath.Join(s.project, "waits")
	if err := syscall.Mkfifo(waits, 0o600); err != nil {
		s.Fatal(err)
	}
	defer os.Remove(waits)
	s.model.play(line{calls: []call{s.client.run("cat " + waits)}})
	command := s.process(s.program, s.arguments(prompt, true)...)
	if err := command.Start(); err != nil {
		s.Fatal(err)
	}
	ended, reads := make(chan error, 1), make(chan *os.File, 1)
	go func() { ended <- command.Wait() }()
	go func() {
		pipe, _ := os.OpenFile(waits, os.O_WRONLY, 0) // once cat opens it
		reads <- pipe
	}()
	select {
	case pipe := <-reads:
		command.Cancel()
		<-ended
		pipe.Close() // cat ends, whatever it is a child of
	case err := <-ended:
		s.Fatalf("%s, %q: it ended before its command did: %v", s.program, prompt, err)
	}
}
