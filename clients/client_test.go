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
	"strconv"
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
	window                       int    // tokens that are too many for its model's

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
	s.path = []string{filepath.Dir(forgemind), s.install(c.pkg + "@" + c.version), s.install(node), "/usr/local/bin", "/usr/bin", "/bin"}
	if c.settings != nil {
		name, text := c.settings(s.project, s.model.server.URL)
		s.write(filepath.Join(s.home, name), text)
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
	command := exec.Command("npm", "install", "--prefix", dir, "--no-audit", "--no-fund", "--loglevel=error", pkg)
	if out, err := command.CombinedOutput(); err != nil {
		s.Fatalf("%v: %v\n%s", command, err, out)
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

// process returns a process in the project, with the environment of the client. It gets three
// minutes, and ends with those that it started.
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
	command.Env = append([]string{"HOME=" + s.home, "PATH=" + strings.Join(s.path, ":"), "TERM=xterm", "LANG=C.UTF-8", "SHELL=/bin/bash", "USER=tester",
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
	began := filepath.Join(s.home, "began")
	if err := syscall.Mkfifo(began, 0o600); err != nil {
		s.Fatal(err)
	}
	s.model.play(line{calls: []call{s.client.run("echo $$ >" + began + "; exec sleep 600")}})
	command := s.process(s.program, s.arguments(prompt, true)...)
	if err := command.Start(); err != nil {
		s.Fatal(err)
	}
	pid := make(chan string, 1)
	go func() {
		text, _ := os.ReadFile(began) // once the command writes it
		pid <- strings.TrimSpace(string(text))
	}()
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	select {
	case id := <-pid:
		command.Cancel()
		<-ended
		if pid, err := strconv.Atoi(id); err == nil {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	case err := <-ended:
		s.Fatalf("%s, %q: it ended before its command did: %v", s.program, prompt, err)
	}
}
