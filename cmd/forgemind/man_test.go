package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/urfave/cli/v2"
)

// TestManualPages gives the page of the program and of each command to the tools that read
// such pages, where they are installed. None may complain.
func TestManualPages(t *testing.T) {
	t.Parallel()
	app := started(testProgram(t)).app()
	first := map[string]string{"forgemind": appPage(app)}
	all := maps.Clone(first)
	for _, command := range app.Commands {
		all[command.Name] = commandPage([]*cli.Command{{Name: app.Name}, command})
	}
	for _, tool := range []struct {
		line  string
		pages map[string]string
	}{
		{"mandoc -Tlint -W warning", all},
		{"groff -man -ww -Tutf8 -z", all},
		{"man --warnings -l -", first}, // which is slow
	} {
		words := strings.Fields(tool.line)
		t.Run(words[0], func(t *testing.T) {
			if _, err := exec.LookPath(words[0]); err != nil {
				t.Skipf("%s is not installed: it reads no page", words[0])
			}
			for name, page := range tool.pages {
				read := exec.Command(words[0], words[1:]...)
				read.Stdin = strings.NewReader(page)
				var errs strings.Builder
				read.Stderr = &errs
				said, err := read.Output()
				if words[0] == "mandoc" { // which tells on standard output, and ends with 2 where it tells something
					errs.Write(said)
					err = nil
				}
				if err != nil || complaints(errs.String()) != "" {
					t.Errorf("%s: the page of %s: %v\n%s", tool.line, name, err, errs.String())
				}
			}
		})
	}
}

// complaints returns what a tool says of a page, but for the date: a page that is made again
// has to be the same, so it has none.
func complaints(said string) string {
	var all strings.Builder
	for line := range strings.Lines(said) {
		if !strings.Contains(line, "missing date") {
			all.WriteString(line)
		}
	}
	return all.String()
}

func TestRoffEscape(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`a\b`: `a\eb`, "--dry-run": `\-\-dry\-run`, `'x'`: `\(aqx\(aq`, `say "x"`: `say \(dqx\(dq`,
		"a\nb": "a b", "…": `\[u2026]`, "~^`": `\(ti\(ha\(ga`,
	} {
		if got := roffEscape(in); got != want {
			t.Errorf("roffEscape(%q) = %q, want %q", in, got, want)
		}
	}
	page := &manPage{}
	page.text(".forgemind is a folder")
	if got, want := page.String(), "\\&.forgemind is a folder\n"; got != want {
		t.Errorf("text(%q) writes %q, want %q", ".forgemind …", got, want)
	}
}

// TestPackagingRuns runs what docs/packaging.md tells packagers, and looks for what they
// then have.
func TestPackagingRuns(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/packaging.md")
	if err != nil {
		t.Fatal(err)
	}
	script := "env DESTDIR=$WORK/package\nexec bash -eu package.sh\n"
	for _, name := range []string{
		"man/man1/forgemind.1", "man/man1/forgemind-decision.1", "man/man1/forgemind-version.1",
		"bash-completion/completions/forgemind", "zsh/site-functions/_forgemind", "fish/vendor_completions.d/forgemind.fish",
	} {
		script += "grep . package/usr/share/" + name + "\n"
	}
	script += "-- package.sh --\n" + strings.Join(shellLines(string(text)), "\n") + "\n"
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "packaging.txtar"), []byte(script), 0o666); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, scripts(dir))
}
