//go:build clients && unix

package clients

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// forgemind is the program under test.
var forgemind string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "forgemind-clients-")
	if err != nil {
		panic(err)
	}
	forgemind = filepath.Join(dir, "forgemind")
	build := exec.Command("go", "build", "-o", forgemind, "./cmd/forgemind")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		panic(string(out))
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func TestClaudeCode(t *testing.T) { tell(t, claudeCode) }
func TestCodex(t *testing.T)      { tell(t, codex) }
func TestGemini(t *testing.T)     { tell(t, gemini) }
func TestCopilot(t *testing.T)    { tell(t, copilot) }
func TestOpencode(t *testing.T)   { tell(t, opencode) }

// registry returns why npm reaches no registry; "" if it does.
var registry = sync.OnceValue(func() string {
	out, err := exec.Command("npm", "view", "--fetch-retries=0", node, "version").CombinedOutput()
	if err != nil {
		return err.Error() + "\n" + string(out)
	}
	return ""
})

// What stands at the head of what hooks tell.
const (
	brief      = "# Brief of orchard"
	governs    = "## What governs walls/south.md"
	compacted  = "# After the compaction of this conversation"
	leftBefore = "# What the session before this left"
)

// tell tells the story: six turns, in which the model reads, edits, asks where the client can, has
// its window compacted, goes on, and is stopped as its client is killed; and a session after them.
func tell(t *testing.T, c client) {
	if why := registry(); why != "" {
		t.Skipf("npm reaches no registry, and the client is not run: %s", why)
	}
	t.Parallel()
	s := begin(t, c)
	before := s.files()
	s.command("forgemind hook install --agent " + c.agent + " --project")
	wall := filepath.Join(s.project, "walls/south.md")

	// It reads a file: it is told what holds, and what governs the file.
	s.model.play(line{calls: []call{c.read(wall)}, answer: "It is lime."})
	s.turn(false, "Which mortar has the wall?")
	s.received(brief, governs)

	// It edits a file.
	s.model.play(line{calls: []call{c.read(wall), c.edit(wall, "Stones: granite.", "Stones: granite. Trees: cordons.")}, answer: "The trees are noted."})
	s.turn(true, "Write down that the trees are cordons.")
	s.received(brief)
	if text := s.command("cat walls/south.md"); !strings.Contains(text, "cordons") {
		t.Errorf("the file was not edited: %s", text)
	}
	if told := s.command("forgemind brief"); c.agent != "codex" && !strings.Contains(told, "files in work: walls/south.md") { // Codex edits in a shell
		t.Errorf("the edit is not noted: %s", told)
	}

	// It asks the user.
	said := []string{"Which mortar has the wall?", "Write down that the trees are cordons."}
	if c.question != nil {
		s.model.play(line{calls: []call{*c.question}, answer: "We plant it."})
		c.answer(s, "Ask me which pear.", "Comice")
		s.received(brief)
		said = append(said, "Ask me which pear.", "Q: Which pear?\nA: Comice")
	}

	// Its window is compacted: by the user, or while it works.
	if c.compaction != "" {
		s.model.play(line{})
		s.turn(true, c.compaction)
	} else {
		s.model.play(line{calls: []call{c.read(wall)}, answer: "A gate is missing.", full: true})
		s.turn(true, "What is missing?")
		said = append(said, "What is missing?")
	}
	if !slices.ContainsFunc(s.model.asked(), func(r request) bool { return summaryTag(r) != "" }) {
		t.Error("the window was not compacted")
	}

	// It goes on: it is told again what holds, and what the compaction lost.
	s.model.play(line{answer: "The gate is of oak."})
	s.turn(true, "Go on with the gate.")
	s.received(brief, compacted)

	// It is killed, and a new session knows what was left.
	s.kill("Are the stones dry?")
	s.model.play(line{answer: "We build a wall."})
	s.turn(false, "What do we do here?")
	s.received(brief, leftBefore, "Are the stones dry?")

	// What the user said stands in the tree, once, and nothing else of the user's.
	s.saidByUser(append(said, "Go on with the gate.", "Are the stones dry?", "What do we do here?"))
	listed := s.command("forgemind message list --all")
	answers := []string{"It is lime.", "The trees are noted.", "The gate is of oak."}
	if c.question != nil {
		answers = append(answers, "We plant it.")
	}
	for _, answer := range answers {
		if n := strings.Count(listed, answer); n != 1 {
			t.Errorf("the answer %q is there %d times", answer, n)
		}
	}
	s.command("forgemind validate")
	if told := s.command("forgemind doctor"); strings.Contains(told, "while hooks ran") {
		t.Errorf("hooks failed: %s", told)
	}
	t.Log(s.command("forgemind hook status --cost"))

	// Uninstalled, it leaves nothing.
	s.command("forgemind hook uninstall --agent " + c.agent + " --project")
	after := s.files()
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if text, there := before[name]; name != "walls/south.md" && (!there || text != after[name]) {
			t.Errorf("%s is not as it was before: %q", name, after[name])
		}
	}
	if len(s.model.unknown) > 0 {
		t.Errorf("the model did not understand %q", s.model.unknown)
	}
	t.Log("hosts that were asked for:", slices.Sorted(maps.Keys(s.model.hosts)))
}

// received checks that the model was told each of texts once, in the last request of the turn.
func (s *scene) received(texts ...string) {
	s.Helper()
	all := ""
	for _, r := range s.model.asked() {
		if len(r.tools) > 0 && summaryTag(r) == "" {
			all = ""
			for _, i := range r.items {
				all += i.text + "\n"
			}
		}
	}
	for _, text := range texts {
		if n := strings.Count(all, text); n != 1 {
			s.Errorf("the model was told %d times, not once: %q\n%s", n, text, all)
		}
	}
}

// saidByUser checks that the user said texts, in this order, and nothing else.
func (s *scene) saidByUser(texts []string) {
	s.Helper()
	var list struct {
		Messages []struct{ Role, Content string }
	}
	out := s.command("forgemind message list --all --format json")
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		s.Fatalf("%v: %s", err, out)
	}
	var said []string
	for _, m := range list.Messages {
		if m.Role == "user" {
			said = append(said, m.Content)
		}
		s.Logf("%s: %.200q", m.Role, m.Content)
	}
	if !slices.Equal(said, texts) {
		s.Errorf("the user said %q, not %q", said, texts)
	}
}

// files returns the content of the project's files that git does not ignore, outside of the tree.
// opencode installs a package of its own beside its plugins, and has git ignore it.
func (s *scene) files() map[string]string {
	s.Helper()
	files := map[string]string{}
	for name := range strings.Lines(s.command("git ls-files --others --exclude-standard -- :!.forgemind :!.quaid")) {
		name = strings.TrimSpace(name)
		text, err := os.ReadFile(filepath.Join(s.project, name))
		if err != nil {
			s.Fatal(err)
		}
		files[name] = string(text)
	}
	return files
}
