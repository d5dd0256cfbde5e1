package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	iofs "io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// told matches a command in the texts for agents: in back quotes, in a line of code, in what Gemini
// runs, in a setting.
var told = regexp.MustCompile("`(forgemind [^`]+)`|^ {4}(forgemind .+)|!\\{(forgemind .+)\\}\n|\"(?:bash|command)\": \"(forgemind [^\"]+)\"")

// toldIn returns the commands in the files below roots, with a file for each.
func toldIn(t *testing.T, roots ...string) map[string]string {
	commands := map[string]string{}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(name string, entry iofs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() || strings.Contains(filepath.ToSlash(name), "/.forgemind/") || strings.Contains(filepath.ToSlash(name), "/.local/") {
				return err
			}
			text, err := os.ReadFile(name)
			for line := range strings.Lines(string(text)) {
				for _, found := range told.FindAllStringSubmatch(line, -1) {
					commands[strings.Join(found[1:], "")] = filepath.Base(name)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return commands
}

// TestAgentsAreToldWhatWorks: each command in what an installation writes for any
// agent does its work, with the flags and in the form in which it is written.
func TestAgentsAreToldWhatWorks(t *testing.T) {
	t.Parallel()
	quick, err := os.MkdirTemp("/dev/shm", "forgemind-") // it waits for no disk
	if err != nil {
		quick = t.TempDir()
	}
	defer os.RemoveAll(quick)
	home, template := filepath.Join(quick, "home"), filepath.Join(quick, "template")
	if err := errors.Join(os.Mkdir(home, 0o755), os.Mkdir(template, 0o755)); err != nil {
		t.Fatal(err)
	}
	run := func(dir string, args ...string) (int, string) {
		var out, errs bytes.Buffer
		p := &program{
			Stdin: strings.NewReader("{}"), Stdout: &out, Stderr: &errs,
			Getenv: func(name string) string { return map[string]string{"HOME": home}[name] },
			Getwd:  func() (string, error) { return dir, nil },
			Now:    time.Now, Rand: rand.Reader,
		}
		code := p.run(context.Background(), append([]string{"forgemind"}, args...))
		return code, out.String() + errs.String()
	}
	must := func(args ...string) string {
		code, out := run(template, args...)
		if code != 0 {
			t.Fatalf("%v: %d\n%s", args, code, out)
		}
		return out
	}
	must("init", "--layout", "both")
	must("projects", "new", "NAME")
	must("message", "add", "Hello")
	must("goal", "add", "WORDS")
	id := func(args ...string) string {
		return regexp.MustCompile(`\b(?:DEC|thread|handoff|conv)-[\w-]*\w`).FindString(must(args...))
	}
	decision := id("decision", "add", "Plant pears")
	thread := id("thread", "open", "Which pears", "--channel", "proj-NAME")
	must("thread", "post", thread, "Decision: we plant Conference because it stands the frost.", "--agent", "Boss")
	handoff := id("handoff", "add", "Soil", "--summary", "It is loam")
	must("sessions", "archive")
	session := id("sessions", "list")
	must("message", "add", "Hello again")

	dir := filepath.Join(quick, "agents")
	if err := os.CopyFS(dir, os.DirFS(template)); err != nil {
		t.Fatal(err)
	}
	for _, scope := range []string{"--project", "--user"} {
		if code, out := run(dir, "hook", "install", "--agent", "all", "--all", scope); code != 0 {
			t.Fatalf("%d\n%s", code, out)
		}
	}
	commands := toldIn(t, dir, home)
	if len(commands) < 50 {
		t.Fatalf("only %d commands were found", len(commands))
	}
	for command, file := range commands {
		known := strings.NewReplacer("/context restore WORDS", "/context restore "+session, "'/context restore' {{args}}", "'/context restore' "+session,
			"/context archive WORDS", "/context archive --title=TITLE", "'/context archive' {{args}}", "'/context archive' --title=TITLE", "{{args}}", "'WORDS'", "THREAD", thread, "FILE", "f.md",
			"thread resolve ID", "thread resolve "+thread, "handoff archive ID", "handoff archive "+handoff, "ID", decision)
		args := shellWords(known.Replace(command))
		dir := filepath.Join(quick, "tree")
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(dir, os.DirFS(template)); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(command, "--repo") {
			if out, err := exec.Command("git", "-C", dir, "init", "-q").CombinedOutput(); err != nil {
				t.Fatal(err, string(out))
			}
		}
		if code, out := run(dir, args[1:]...); code != 0 {
			t.Errorf("%s: %s: %q: exit code %d\n%s", file, command, args, code, out)
		}
	}
}

// shellWords returns the words of a command as a shell splits them. It supports quotes only.
func shellWords(line string) (words []string) {
	word, quote, in := "", rune(0), false
	for _, r := range line + " " {
		switch {
		case quote == 0 && (r == '"' || r == '\''):
			quote, in = r, true
		case r == quote:
			quote = 0
		case quote == 0 && r == ' ':
			if in {
				words = append(words, word)
			}
			word, in = "", false
		default:
			word, in = word+string(r), true
		}
	}
	return words
}
