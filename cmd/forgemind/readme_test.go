package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

const (
	readme = "../../README.md"
	tour   = "../../docs/tour.md"
)

// TestDocumentedCommands runs the sh and console blocks of README, and those of the tour,
// each as one story in a fresh directory. What a console block prints is compared, but for
// ids and dates.
func TestDocumentedCommands(t *testing.T) {
	dir := t.TempDir()
	for _, file := range []string{readme, tour} {
		story := storyOf(t, read(t, file))
		if strings.Count(story, "forgemind") < 5 {
			t.Fatalf("%s runs too little:\n%s", file, story)
		}
		script := "exec bash -eu story.sh\n-- story.sh --\n" + story
		if file == tour {
			script = "exec bash -eux story.sh\ncd tour\nexec forgemind audit --repo --fail-at 1\n! stdout .\nstderr '0 things stale'\n-- story.sh --\n" + story
		}
		name := strings.TrimSuffix(filepath.Base(file), ".md") + ".txtar"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	testscript.Run(t, scripts(dir))
}

// storyOf returns a shell script that runs what a markdown text shows: the lines of its sh
// blocks, the commands of its console blocks, and the last run line of its yaml block. What
// installs forgemind, and `go test`, which is what runs this, are left out.
func storyOf(t *testing.T, markdown string) string {
	story := strings.Builder{}
	story.WriteString(`same() { diff <(unnamed <"$WORK/printed") <(unnamed) >&2; }` + "\n" +
		`unnamed() { sed -E 's/(DEC|ACT|Q|con|goal|note)-[A-Za-z0-9]{6}/\1-ID/g; s/20[0-9]{2}-[0-9]{2}-[0-9]{2}/DATE/g'; }` + "\n")
	for _, block := range blocksOf(markdown) {
		switch block.kind {
		case "sh":
			for line := range strings.Lines(block.text) {
				if !strings.HasPrefix(line, "go ") {
					story.WriteString(line)
				}
			}
		case "console":
			for _, step := range strings.Split("\n"+block.text, "\n$ ")[1:] {
				command, printed := cutCommand(step)
				fmt.Fprintf(&story, "code=0; { %s\n} >\"$WORK/printed\" 2>&1 || code=$?\nsame <<'END'\n%sEND\n", command, printed)
				if strings.Contains(printed, ": error: ") {
					story.WriteString("test $code = 1\n")
				} else {
					story.WriteString("test $code = 0\n")
				}
			}
		case "text": // what a hook adds to the prompt above
			_, prompt, _ := strings.Cut(markdown, "You ask your agent: *")
			prompt, _, _ = strings.Cut(prompt, "*")
			fmt.Fprintf(&story, "echo '{\"session_id\": \"s\", \"prompt\": %q}' | forgemind hook run UserPromptSubmit --agent claude |\n"+
				`sed -E 's/.*"additionalContext":"//; s/"\}\}$//; s/\\n/\n/g' | sed '/^$/d' >"$WORK/printed"`+"\nsame <<'END'\n%sEND\n", prompt, block.text)
		case "yaml":
			lines := strings.Split(strings.TrimSpace(block.text), "\n")
			_, command, ok := strings.Cut(lines[len(lines)-1], "- run: forgemind ")
			if !ok {
				t.Fatalf("the last step of the workflow runs no forgemind: %s", block.text)
			}
			story.WriteString("forgemind " + strings.Replace(command, "origin/${{ github.base_ref }}", "HEAD", 1) + "\n")
		}
	}
	return story.String()
}

// cutCommand cuts a step of a console block into its command, whose lines end with a
// backslash but for the last, and what that printed.
func cutCommand(step string) (command, printed string) {
	for {
		line, rest, _ := strings.Cut(step, "\n")
		command, step = command+line+"\n", rest
		if !strings.HasSuffix(line, `\`) {
			break
		}
	}
	if step != "" && !strings.HasSuffix(step, "\n") {
		step += "\n"
	}
	return command, step
}

// A codeBlock is a fenced block of a markdown text.
type codeBlock struct{ kind, text string }

var fenced = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

func blocksOf(markdown string) (all []codeBlock) {
	for _, m := range fenced.FindAllStringSubmatch(markdown, -1) {
		all = append(all, codeBlock{m[1], m[2]})
	}
	return all
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestDocumentsNameCommandsThatExist checks the commands that README and docs name, and
// the files that they lead to.
func TestDocumentsNameCommandsThatExist(t *testing.T) {
	known := names(started(testProgram(t)).app().Commands)
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	link := regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`)
	for _, file := range append(files, readme, "../../CONTRIBUTING.md", "../../SECURITY.md") {
		text := read(t, file)
		for _, after := range strings.Split(text, "`forgemind ")[1:] {
			command, _, _ := strings.Cut(after, "`")
			word, _, _ := strings.Cut(strings.TrimPrefix(command, "help "), " ")
			if word != "COMMAND" && nearest(word, known) != word {
				t.Errorf("%s names 'forgemind %s', which does not exist", file, word)
			}
		}
		for _, to := range link.FindAllStringSubmatch(text, -1) {
			target := file
			if to[1] != "" {
				target = filepath.Join(filepath.Dir(file), to[1])
			}
			text, err := os.ReadFile(target)
			if err != nil {
				t.Errorf("%s leads nowhere: %v", file, err)
			} else if heading := strings.ReplaceAll(to[2], "-", " "); heading != "" && !strings.Contains(strings.ToLower(string(text)), "# "+heading) {
				t.Errorf("%s leads to %s, which has no heading %q", file, target, heading)
			}
		}
	}
}
