package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// A day of an agent: each tool does what its command does, the tree is as valid
// afterwards, and what the agent did is signed by it.
func TestMCPToolsDoWhatTheirCommandsDo(t *testing.T) {
	t.Parallel()
	a := serve(t, aTree(t), "", "--allow-writes")
	id := func(structured map[string]any) string {
		a.Helper()
		id, _ := structured["id"].(string)
		if !schema.ValidID(id) {
			a.Fatalf("no id in %v", structured)
		}
		return id
	}

	_, added := a.does("decision_add", map[string]any{
		"decision": "Lay the wall in lime mortar", "rationale": "cement cracks", "alternatives": []any{"cement"}, "files": []any{"walls/south.md"}, "priority": "high", "maker": "Boss",
	})
	lime := id(added)
	if fired, _ := added["fired"].([]any); len(fired) != 1 || fired[0] != "boss_major_decision" {
		t.Errorf("fired %v", added["fired"])
	}
	var onDisk schema.Decision
	src, err := os.ReadFile(filepath.Join(a.dir, ".forgemind/decisions", lime+".json"))
	if err == nil {
		err = json.Unmarshal(src, &onDisk)
	}
	if err != nil || onDisk.Rationale != "cement cracks" || onDisk.RecordedBy != "Test-Agent" || onDisk.DecisionMaker != "Boss" || !slices.Equal(onDisk.AlternativesRejected, []string{"cement"}) {
		t.Errorf("recorded %+v: %v", onDisk, err)
	}
	text, superseding := a.does("decision_supersede", map[string]any{"id": lime, "decision": "Lay the wall dry"})
	if !strings.Contains(text, lime+" is superseded") {
		t.Errorf("%s", text)
	}
	dry := id(superseding)
	a.fails("decision_supersede", map[string]any{"id": lime, "decision": "Lay it in clay"}, lime, dry, "supersede that one instead")
	a.fails("decision_supersede", map[string]any{"id": dry + "X", "decision": "Lay it in clay"}, "did you mean "+dry+"?")

	text, _ = a.does("decision_list", nil)
	if !strings.Contains(text, dry+" (") || strings.Contains(text, lime+" (") || !strings.Contains(text, "supersedes: "+lime) {
		t.Errorf("those that hold:\n%s", text)
	}
	if text, _ = a.does("decision_list", map[string]any{"superseded": true}); !strings.Contains(text, "superseded by "+dry) {
		t.Errorf("all:\n%s", text)
	}
	if text, _ = a.does("decision_list", map[string]any{"id": lime}); !strings.Contains(text, "because cement cracks\n  rejected: cement\n") || strings.Contains(text, "Conference") {
		t.Errorf("one:\n%s", text)
	}
	a.fails("decision_list", map[string]any{"id": "DEC-NONE"}, "decision_list lists those there are")
	text, governing := a.does("governs", map[string]any{"path": "walls/south.md"})
	if !strings.Contains(text, "Plant Conference") || !strings.Contains(text, "(constraint, ") || strings.Contains(text, lime) {
		t.Errorf("governs:\n%s", text)
	}
	if items := governing["items"].([]any); len(items) != 2 {
		t.Errorf("governs %v", items)
	}
	inFull := filepath.Join(a.dir, "walls", "north.md")
	_, north := a.does("decision_add", map[string]any{"decision": "Leave the north wall", "files": []any{inFull}})
	if files := north["files"].([]any); len(files) != 1 || files[0] != "walls/north.md" {
		t.Errorf("a path in full: %v", files)
	}
	if text, _ = a.does("governs", map[string]any{"path": inFull + ":42"}); !strings.Contains(text, id(north)) {
		t.Errorf("governs by a path in full:\n%s", text)
	}
	if text, _ = a.does("governs", map[string]any{"path": "walls/west.md"}); !strings.Contains(text, "no items; nothing that is recorded names it") {
		t.Errorf("what nothing governs:\n%s", text)
	}
	a.fails("brief", map[string]any{"project": "walls"}, "there is no project", "there are none")

	_, goal := a.does("goal", map[string]any{"action": "add", "text": "Find stones", "status": "in-progress", "priority": "high"})
	stones := id(goal)
	if _, goal = a.does("goal", map[string]any{"action": "update", "id": "find ston", "priority": "low", "parent": "south wall"}); goal["priority"] != "low" || goal["id"] != stones {
		t.Errorf("updated %v", goal)
	}
	if _, goal = a.does("goal", map[string]any{"action": "add", "text": "Find stones"}); goal["id"] != stones || len(goal["changed"].([]any)) != 0 {
		t.Errorf("added twice: %v", goal)
	}
	if text, _ = a.does("work_list", map[string]any{"kind": "goal"}); !strings.Contains(text, stones+" (goal, in-progress, low, Test-Agent") {
		t.Errorf("goals:\n%s", text)
	}
	a.does("goal", map[string]any{"action": "complete", "id": stones})
	a.fails("goal", map[string]any{"action": "complete", "id": stones}, "there is no goal")
	a.fails("goal", map[string]any{"action": "update", "id": "wall"}, "what to change is missing")
	a.fails("goal", map[string]any{"action": "complete"}, "action complete needs id; work_list gives ids")

	_, rule := a.does("constraint", map[string]any{"action": "add", "text": "No concrete"})
	a.does("constraint", map[string]any{"action": "remove", "id": id(rule)})
	_, question := a.does("question", map[string]any{"action": "ask", "text": "How high?", "context": "the wall", "priority": "high"})
	if question["asked_by"] != "Test-Agent" {
		t.Errorf("asked %v", question)
	}
	if text, _ = a.does("work_list", nil); !strings.Contains(text, "How high?") || strings.Contains(text, "No concrete") {
		t.Errorf("open:\n%s", text)
	}
	a.does("question", map[string]any{"action": "answer", "id": id(question), "text": "Two metres"})
	a.fails("question", map[string]any{"action": "answer", "id": "Q-NONE", "text": "Two metres"}, "work_list lists those there are")

	_, note := a.does("remember", map[string]any{"text": "The river floods in March"})
	id(note)
	if _, note = a.does("remember", map[string]any{"text": "Stones keep warmth", "type": "lesson_learned"}); !strings.HasPrefix(note["note"].(string), ".forgemind/memory/") {
		t.Errorf("remembered %v", note)
	}
	if text, _ = a.does("brief", nil); !strings.Contains(text, "Lay the wall dry") || !strings.Contains(text, "floods in March") || !strings.Contains(text, "Plant the south wall") {
		t.Errorf("brief:\n%s", text)
	}
	if !strings.Contains(text, "- tools: brief with a larger max_tokens; decision_list;") || strings.Contains(text, "forgemind brief") {
		t.Errorf("where there is more, for who has no shell:\n%s", text)
	}

	for range 3 {
		ran(t, a.dir, "message", "add", "Bees fly above ten degrees, and the queens are marked with yellow paint", "--agent", "user")
	}
	if text, _ = a.does("context", map[string]any{"query": "queens of the hives", "max_tokens": 800}); !strings.Contains(text, "yellow paint") || !strings.Contains(text, "No pear") {
		t.Errorf("context:\n%s", text)
	}
	a.fails("context", map[string]any{"max_tokens": 100}, "max_tokens", "use max_tokens")
	text, found := a.does("search", map[string]any{"query": "which mortar cracks"})
	if first := found["results"].([]any)[0].(map[string]any); first["id"] != lime || first["superseded_by"] != dry {
		t.Errorf("search:\n%s", text)
	}
	_, found = a.does("search", map[string]any{"query": "paint of the queens", "in": "memory"})
	message := id(found["results"].([]any)[0].(map[string]any))
	if text, _ = a.does("recover", map[string]any{"id": message}); !strings.Contains(text, "Bees fly above ten degrees") {
		t.Errorf("recovered:\n%s", text)
	}
	a.fails("recover", map[string]any{"id": "chunk-none"}, "search finds what there is")
	a.fails("recover", nil, "either id or query")

	before, sessions := a.does("session_list", nil)
	first := id(sessions["sessions"].([]any)[0].(map[string]any))
	text, now := a.does("session", map[string]any{"action": "archive", "title": "Walls"})
	if now["archived"] != first || id(now) == first {
		t.Errorf("archived:\n%s after\n%s", text, before)
	}
	if text, _ = a.does("session", map[string]any{"action": "restore", "id": first}); !strings.Contains(text, "restored session "+first) || !strings.Contains(text, "Plant the south wall") {
		t.Errorf("restored:\n%s", text)
	}
	a.fails("session", map[string]any{"action": "restore", "id": first + "x"}, "did you mean "+first+"?")
	a.fails("session", map[string]any{"action": "restore"}, "needs id")
	a.does("session", map[string]any{"action": "summary"})
	if text, _ = a.does("session_list", map[string]any{"id": first}); !strings.Contains(text, "Lay the wall dry") {
		t.Errorf("summary:\n%s", text)
	}
	a.does("session", map[string]any{"action": "clear"})
	a.does("session", map[string]any{"action": "new", "title": "Hedges"})
	if text, _ = a.does("session_list", nil); !strings.Contains(text, "(active, ") || strings.Count(text, "conv-") < 4 {
		t.Errorf("sessions:\n%s", text)
	}

	if text, _ = a.does("validate", nil); !strings.Contains(text, " 0 errors") {
		t.Errorf("%s", text)
	}
	if text, _ = a.does("status", nil); !strings.Contains(text, "context: healthy") {
		t.Errorf("%s", text)
	}
	ran(t, a.dir, "validate")
}

// An invalid call gets an explanation and changes nothing.
func TestMCPSaysWhatIsWrongWithACall(t *testing.T) {
	t.Parallel()
	a := serve(t, aTree(t), "", "--allow-writes")
	before := ran(t, a.dir, "decision", "list")
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		wants     []string
	}{
		{"decision_add", nil, []string{"decision_add: decision is missing", "what was decided"}},
		{"decision_add", map[string]any{"decision": "  "}, []string{"decision is missing, or is empty"}},
		{"decision_add", map[string]any{"decision": "x", "rationel": "y"}, []string{`there is no "rationel"; did you mean rationale?`}},
		{"decision_add", map[string]any{"decision": 7}, []string{"decision must be a text, not 7"}},
		{"decision_add", map[string]any{"decision": "x", "priority": "urgent"}, []string{`priority is one of normal, high, not "urgent"`}},
		{"decision_add", map[string]any{"decision": "x", "files": "a.go"}, []string{"files must be a list of texts"}},
		{"decision_add", map[string]any{"decision": "x", "files": []any{"../../etc/passwd"}}, []string{"leads out of the project directory"}},
		{"decision_add", map[string]any{"decision": strings.Repeat("x", 4001)}, []string{"4000 characters, and this has 4001"}},
		{"decision_list", map[string]any{"limit": 1000}, []string{"limit must be a whole number from 1 to 50, not 1000"}},
		{"decision_list", map[string]any{"limit": "5"}, []string{`limit must be a whole number from 1 to 50, not "5"`}},
		{"decision_list", map[string]any{"superseded": "yes"}, []string{"superseded must be true or false"}},
		{"search", map[string]any{"query": nil}, []string{"query is missing"}},
		{"governs", map[string]any{"path": "/etc/passwd"}, []string{"leads out of the project directory"}},
		{"status", map[string]any{"a\x1b[31m\u202e": 1}, []string{`there is no "a\x1b[31m\u202e"; it takes nothing`}},
	} {
		a.fails(c.tool, c.arguments, c.wants...)
	}
	if after := ran(t, a.dir, "decision", "list"); after != before {
		t.Errorf("a wrong call changed something:\n%s", after)
	}
	_, err := a.session.CallTool(t.Context(), &sdk.CallToolParams{Name: "decision_lst"})
	if err == nil || !strings.Contains(err.Error(), "did you mean decision_list?") {
		t.Errorf("an unknown tool: %v", err)
	}
	if _, got := a.does("decision_list", map[string]any{"id": nil, "limit": nil}); len(got["decisions"].([]any)) != 1 {
		t.Errorf("null is not given: %v", got)
	}
}

// What a change fires and cannot be done is told with it.
func TestMCPTellsWhatWasNotDone(t *testing.T) {
	t.Parallel()
	dir := aTree(t)
	notes := filepath.Join(dir, ".forgemind/memory/facilitator-notes.md")
	os.Remove(notes)
	if err := os.MkdirAll(notes, 0o755); err != nil {
		t.Fatal(err)
	}
	text, added := serve(t, dir, "", "--allow-writes").does("decision_add", map[string]any{"decision": "Lay the wall dry", "priority": "high", "maker": "Boss"})
	if told := fmt.Sprint(added["notes"]); !strings.Contains(told, "save_to_memory: failed: .forgemind/memory/facilitator-notes.md") {
		t.Errorf("notes: %s\n%s", told, text)
	}
}

// A server without --allow-writes changes nothing, whatever is called; it says so.
func TestMCPReadsOnlyUnlessToldOtherwise(t *testing.T) {
	t.Parallel()
	a := serve(t, aTree(t), "")
	documents := func() string {
		var all []string
		err := filepath.WalkDir(a.dir, func(name string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				if entry != nil && entry.Name() == fs.LocalDir {
					return filepath.SkipDir
				}
				return err
			}
			src, err := os.ReadFile(name)
			all = append(all, name+"\n"+string(src))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(all, "\n")
	}
	before := documents()
	for _, name := range writingTools {
		a.fails(name, map[string]any{"decision": "x", "action": "add", "text": "x", "id": "x"}, name+" changes the tree, and this server is read-only", "--allow-writes")
	}
	for _, name := range readingTools {
		a.call(name, map[string]map[string]any{"search": {"query": "bees"}, "recover": {"query": "bees"}, "governs": {"path": "."}}[name])
	}
	if after := documents(); after != before {
		t.Error("a read-only server changed a document")
	}
}

// Secrets do not come in, by any tool that writes.
func TestMCPMasksSecrets(t *testing.T) {
	t.Parallel()
	a := serve(t, aTree(t), "", "--allow-writes")
	const secret = "AKIAIOSFODNN7EXAMPLE"
	for name, arguments := range map[string]map[string]any{
		"decision_add": {"decision": "Use " + secret, "rationale": secret, "alternatives": []any{secret}, "impact": []any{secret}, "maker": "ann " + secret, "files": []any{"keys/" + secret + ".md"}},
		"goal":         {"action": "add", "text": "Rotate " + secret},
		"constraint":   {"action": "add", "text": "Never print " + secret},
		"question":     {"action": "ask", "text": "Is it " + secret + "?", "context": secret},
		"remember":     {"text": "The key is " + secret, "type": "lesson_learned"},
		"session":      {"action": "archive", "title": "About " + secret},
	} {
		text, structured := a.does(name, arguments)
		if !strings.Contains(text, "masked") || strings.Contains(text+encoded(t, structured), secret) {
			t.Errorf("%s: %s", name, text)
		}
	}
	err := filepath.WalkDir(a.dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		src, err := os.ReadFile(name)
		if bytes.Contains(src, []byte(secret)) {
			t.Errorf("it stands in %s", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
