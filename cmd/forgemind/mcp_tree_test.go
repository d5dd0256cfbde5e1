package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/forgemind/forgemind/fs"
)

// Resources are the documents. None leads out of the tree, or to what is no
// document.
func TestMCPResources(t *testing.T) {
	a := serve(t, aTree(t), "")
	ran(t, a.dir, "sessions", "summary")
	write := func(name, text string) {
		t.Helper()
		at := filepath.Join(a.dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o777), os.WriteFile(at, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	ran(t, a.dir, "projects", "new", "walls")
	ran(t, a.dir, "projects", "refresh", "walls")
	write(".forgemind/condensations/2026-11-20-mortar.md", "# Mortar \x1b[31m\n\n**Decision:** lime\n")
	write(".forgemind/condensations/huge.md", strings.Repeat("stone upon stone\n", 20_000))
	list, err := a.session.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var uris []string
	for _, r := range list.Resources {
		uris = append(uris, r.URI)
		read, err := a.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: r.URI})
		if err != nil {
			t.Errorf("%s: %v", r.URI, err)
			continue
		}
		text := read.Contents[0].Text
		harmlessText(t, r.URI, text)
		if n := utf8.RuneCountInString(text); n == 0 || n > 100_000 || read.Contents[0].MIMEType != r.MIMEType {
			t.Errorf("%s: %d characters of %s", r.URI, n, read.Contents[0].MIMEType)
		}
		if r.MIMEType == "application/json" && !json.Valid([]byte(text)) {
			t.Errorf("%s is no JSON: %s", r.URI, text)
		}
	}
	all := strings.Join(uris, "\n")
	for _, want := range []string{"//brief", "//state", "//decisions", "//decision/DEC-", "//condensation/2026-11-20-mortar", "//project/walls", "//session/conv-", "//note/project-knowledge"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s among\n%s", want, all)
		}
	}
	read, err := a.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "forgemind://condensation/huge"})
	if err != nil || !strings.Contains(read.Contents[0].Text, "[cut: about ") {
		t.Errorf("a huge one is not cut: %v", err)
	}
	outside := filepath.Join(filepath.Dir(a.dir), "secret.md")
	write("../secret.md", "secret")
	write(".quaid/context/conv/summary.md", "secret")
	if err := os.Symlink(outside, filepath.Join(a.dir, ".forgemind/memory/linked.md")); err != nil {
		t.Fatal(err)
	}
	for _, uri := range []string{
		"forgemind://condensation/../config", "forgemind://condensation/..%2f..%2fsecret", "forgemind://note/../../../secret", "forgemind://note/linked",
		"forgemind://decision/..", "forgemind://decision/NONE", "forgemind://session/../conv", "forgemind://state/x", "forgemind://", "forgemind://nothing",
		"file:///etc/passwd", "forgemind://project/%2e%2e", "forgemind://note/a\x1b[31m", "forgemind://note/" + strings.Repeat("a", 5000),
	} {
		read, err := a.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err == nil {
			t.Errorf("%q can be read: %s", uri, read.Contents[0].Text)
		} else if len(err.Error()) > 2000 {
			t.Errorf("%q: an error of %d bytes", uri, len(err.Error()))
		}
	}
}

// A client that starts every server elsewhere says where it works, where its version of the
// protocol has that.
func TestMCPFindsTheTreeOfTheClientsRoots(t *testing.T) {
	dir, home := aTree(t), t.TempDir()
	below := filepath.Join(dir, "source code")
	if err := os.Mkdir(below, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		version string
		roots   []string
		want    string
	}{
		{"2025-06-18", []string{"https://example.com/", "file://" + home, "file://" + strings.ReplaceAll(below, " ", "%20")}, "Thin the pears"},
		{"2025-06-18", []string{"file://" + home}, "no .forgemind or .quaid folder"},
		{"2025-06-18", nil, "no .forgemind or .quaid folder"},
		{"", []string{"file://" + dir}, "no .forgemind or .quaid folder"},
	} {
		command := exec.Command("forgemind", "mcp", "--allow-writes")
		command.Dir = home
		client := sdk.NewClient(&sdk.Implementation{Name: "Test Agent", Version: "1"}, nil)
		for _, uri := range c.roots {
			client.AddRoots(&sdk.Root{URI: uri}) //lint:ignore SA1019 it is what is tested
		}
		session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: command}, &sdk.ClientSessionOptions{ProtocolVersion: c.version})
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range []*sdk.CallToolParams{{Name: "goal", Arguments: map[string]any{"action": "add", "text": "Thin the pears"}}, {Name: "brief"}} {
			result, err := session.CallTool(t.Context(), call)
			if got := encoded(t, result); err != nil || !strings.Contains(got, c.want) {
				t.Errorf("version %q, roots %q, %s: %v\n%s", c.version, c.roots, call.Name, err, got)
			}
		}
		session.Close()
	}
}

// Each slash command is a prompt that has the model call a tool there is.
func TestMCPPromptsAreTheSlashCommands(t *testing.T) {
	dir := aTree(t)
	for _, flags := range [][]string{nil, {"--allow-writes"}} {
		a := serve(t, dir, "", flags...)
		list, err := a.session.ListPrompts(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		known := map[string]*sdk.Prompt{}
		for _, p := range list.Prompts {
			known[p.Name] = p
		}
		for _, s := range slashCommands() {
			name := strings.ReplaceAll(strings.TrimPrefix(s.name, "/"), " ", "_")
			p := known[name]
			if p == nil {
				t.Errorf("%s is no prompt", s.name)
				continue
			}
			if required := s.takes != "" && s.takes[0] != '['; required != (len(p.Arguments) == 1 && p.Arguments[0].Required) {
				t.Errorf("%s takes %q, the prompt %s", s.name, s.takes, encoded(t, p.Arguments))
			}
			given := map[string]string{}
			for _, argument := range p.Arguments {
				given[argument.Name] = "pears\x1b[31m"
				if argument.Required {
					if _, err := a.session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name}); err == nil || !strings.Contains(err.Error(), "needs "+argument.Name) {
						t.Errorf("%s without %s: %v", name, argument.Name, err)
					}
				}
			}
			got, err := a.session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name, Arguments: given})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			text := got.Messages[0].Content.(*sdk.TextContent).Text
			harmlessText(t, name, text)
			calls := slices.ContainsFunc(a.toolNames(), func(tool string) bool { return strings.Contains(text, "Call the tool "+tool+" of forgemind") })
			if !calls && !strings.Contains(text, "--allow-writes") || flags != nil && (!calls || len(given) > 0 && !strings.Contains(text, "pears")) {
				t.Errorf("%s: %s", name, text)
			}
		}
		got, err := a.session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "brief"})
		if err != nil || !strings.Contains(got.Messages[0].Content.(*sdk.TextContent).Text, "Plant Conference") {
			t.Errorf("brief: %v %v", got, err)
		}
		if _, err := a.session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "set_goal", Arguments: map[string]string{"goal": "x", "gaol": "y"}}); err == nil {
			t.Error("an unknown argument is taken")
		}
		if _, err := a.session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "set_gaol"}); err == nil || !strings.Contains(err.Error(), "did you mean set_goal?") {
			t.Errorf("an unknown prompt: %v", err)
		}
	}
}

// Where there is no tree each tool says how to make one; once there is, it works.
func TestMCPWithoutATree(t *testing.T) {
	a := serve(t, t.TempDir(), "", "--allow-writes")
	for _, name := range slices.Concat(readingTools, writingTools) {
		a.fails(name, map[string]map[string]any{
			"search": {"query": "x"}, "recover": {"id": "x"}, "governs": {"path": "x"}, "decision_add": {"decision": "x"}, "decision_supersede": {"id": "x", "decision": "x"},
			"goal": {"action": "add", "text": "x"}, "constraint": {"action": "add", "text": "x"}, "question": {"action": "ask", "text": "x"}, "remember": {"text": "x"},
			"session": {"action": "new"},
		}[name], "'forgemind init' makes a tree")
	}
	list, err := a.session.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 3 {
		t.Errorf("resources %v: %v", list, err)
	}
	if _, err := a.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "forgemind://state"}); err == nil || !strings.Contains(err.Error(), "forgemind init") {
		t.Errorf("state: %v", err)
	}
	ran(t, a.dir, "init")
	a.does("status", nil)
	a.does("goal", map[string]any{"action": "add", "text": "x"})
}

// Whatever is wrong in a tree, each tool answers; what it says is bounded, and
// harmless.
func TestMCPOnTreesThatAreWrong(t *testing.T) {
	fixtures, err := filepath.Glob("../../testdata/fixtures/*.findings")
	if err != nil || len(fixtures) < 10 {
		t.Fatal(fixtures, err)
	}
	arguments := map[string]map[string]any{"search": {"query": "decision to use the database"}, "recover": {"query": "decision to use the database"}, "governs": {"path": "."}}
	for _, fixture := range fixtures {
		t.Run(strings.TrimSuffix(filepath.Base(fixture), ".findings"), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(strings.TrimSuffix(fixture, ".findings"))); err != nil {
				t.Fatal(err)
			}
			a := serveHere(t, dir)
			for _, name := range readingTools {
				a.call(name, arguments[name])
			}
			if !strings.HasSuffix(t.Name(), "/foreign") {
				a.does("validate", nil)
			}
			list, err := a.session.ListResources(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range list.Resources {
				harmlessText(t, "list", r.URI+r.Name)
				if read, err := a.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: r.URI}); err == nil {
					harmlessText(t, r.URI, read.Contents[0].Text)
				}
			}
		})
	}
}

// A State that is no JSON keeps nothing else from being told, and no write makes it
// worse.
func TestMCPWithAnInvalidState(t *testing.T) {
	a := serve(t, aTree(t), "", "--allow-writes")
	state := filepath.Join(a.dir, filepath.FromSlash(fs.State))
	if err := os.WriteFile(state, []byte(`{"version": "1.0", "oops`), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, _ := a.does("validate", map[string]any{"errors_only": true}); !strings.Contains(text, "json-syntax") {
		t.Errorf("%s", text)
	}
	if text, _ := a.does("status", nil); !strings.Contains(text, "state-unreadable") {
		t.Errorf("%s", text)
	}
	if text, _ := a.does("decision_list", nil); !strings.Contains(text, "Conference") {
		t.Errorf("%s", text)
	}
	if text, _ := a.does("work_list", nil); !strings.Contains(text, "Plant the south wall") || !strings.Contains(text, "validate says more") {
		t.Errorf("%s", text)
	}
	a.call("decision_add", map[string]any{"decision": "Plant quinces"})
	if src, err := os.ReadFile(state); err != nil || string(src) != `{"version": "1.0", "oops` {
		t.Errorf("the State was touched: %s %v", src, err)
	}
}

// What a stranger wrote into a tree reaches no terminal as it is.
func TestMCPMakesTreeTextHarmless(t *testing.T) {
	a := serve(t, aTree(t), "")
	evil := `pears \u001b]0;owned\u0007\u001b[2J \u202egnorw\u202c \u2066x \u200b \ud83c\udf50 \udb40\udc41`
	decision := `{"id": "DEC-EVIL", "timestamp": "2026-11-20T10:00:00Z", "decision": "` + evil + `", "rationale": "` + evil + `", "immutable": true, "decision_maker": "` + evil + `"}`
	if err := os.WriteFile(filepath.Join(a.dir, ".forgemind/decisions/DEC-EVIL.json"), []byte(decision), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, arguments := range map[string]map[string]any{
		"decision_list": nil, "search": {"query": "pears"}, "recover": {"id": "DEC-EVIL"}, "brief": nil, "context": {"query": "pears"}, "validate": nil, "status": nil,
	} {
		text := textOf(a.call(name, arguments)) // which checks it
		if name == "recover" && (!strings.Contains(text, `\u001b]0;owned\u0007`) || !strings.Contains(text, `\u202egnorw`) || !strings.Contains(text, "🍐") || !strings.Contains(text, `\udb40\udc41`)) {
			t.Errorf("%s", text)
		}
	}
	for _, uri := range []string{"forgemind://decision/DEC-EVIL", "forgemind://decisions"} {
		read, err := a.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatal(err)
		}
		harmlessText(t, uri, read.Contents[0].Text)
	}
}

// Two servers on one tree, and commands beside them: nothing is lost.
func TestMCPTwoServersOnOneTree(t *testing.T) {
	dir := aTree(t)
	servers := []*agentTest{serve(t, dir, "", "--allow-writes"), serve(t, dir, "2025-06-18", "--allow-writes")}
	const each = 8
	var group sync.WaitGroup
	for n, a := range servers {
		for i := range each {
			group.Go(func() {
				result, err := a.session.CallTool(t.Context(), &sdk.CallToolParams{Name: "goal", Arguments: map[string]any{"action": "add", "text": fmt.Sprintf("goal %d of server %d", i, n)}})
				if err != nil || result.IsError {
					t.Errorf("%d of %d: %v %v", i, n, err, result)
				}
			})
		}
	}
	group.Go(func() { ran(t, dir, "goal", "add", "goal of a command") })
	group.Wait()
	text, _ := servers[0].does("work_list", map[string]any{"kind": "goal", "limit": 100})
	if got := strings.Count(text, "(goal, "); got != 2*each+2 {
		t.Errorf("%d goals:\n%s", got, text)
	}
	ran(t, dir, "validate")
}
