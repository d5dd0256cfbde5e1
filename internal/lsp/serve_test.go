package lsp

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
)

// An editor is a client of a server in this process.
type editor struct {
	*testing.T
	dir    string // the project directory
	client *jrpc2.Client
	server *server
	shown  chan publishParams
	asked  chan string // the methods of requests of the server
	ended  chan error
}

// open starts a server and an editor with the given capabilities, as JSON.
func open(t *testing.T, dir, capabilities string) *editor {
	t.Helper()
	fromEditor, toServer := io.Pipe()
	fromServer, toEditor := io.Pipe()
	lifetime, end := context.WithCancel(context.Background())
	e := &editor{T: t, dir: dir, server: newServer(lifetime, Options{
		In: fromEditor, Out: toEditor, Log: io.Discard, Version: "v1", Now: time.Now, Pause: 10 * time.Millisecond,
		Explain: func(setting string) (string, bool) {
			return setting + ": what it means", setting == "RELEVANCE_CUTOFF" || setting == "copies"
		},
	}), shown: make(chan publishParams, 1000), asked: make(chan string, 10), ended: make(chan error, 1)}
	go func() {
		e.ended <- e.server.serve(lifetime, end)
		toEditor.Close()
	}()
	e.client = jrpc2.NewClient(channel.LSP(fromServer, toServer), &jrpc2.ClientOptions{
		OnNotify: func(r *jrpc2.Request) {
			var p publishParams
			if err := r.UnmarshalParams(&p); err != nil || r.Method() != "textDocument/publishDiagnostics" {
				t.Errorf("%s: %v", r.Method(), err)
			}
			e.shown <- p
		},
		OnCallback: func(_ context.Context, r *jrpc2.Request) (any, error) {
			e.asked <- r.Method()
			return nil, nil
		},
	})
	t.Cleanup(func() { e.client.Close() })
	e.ask("initialize", `{"rootUri": "`+fileURI(dir)+`", "capabilities": `+capabilities+`}`)
	e.tell("initialized", `{}`)
	return e
}

// ask sends a request and returns the result as JSON.
func (e *editor) ask(method, params string) string {
	e.Helper()
	ctx, cancel := context.WithTimeout(e.Context(), time.Minute)
	defer cancel()
	answer, err := e.client.Call(ctx, method, json.RawMessage(params))
	if err != nil {
		e.Fatalf("%s %s: %v", method, params, err)
	}
	return answer.ResultString()
}

func (e *editor) tell(method, params string) {
	e.Helper()
	if err := e.client.Notify(e.Context(), method, json.RawMessage(params)); err != nil {
		e.Fatalf("%s: %v", method, err)
	}
}

// uri returns the URI of a document.
func (e *editor) uri(name string) string { return fileURI(filepath.ToSlash(e.dir) + "/" + name) }

// edit opens a document, or replaces its text.
func (e *editor) edit(name string, version int, text string) {
	e.Helper()
	method := `textDocument/didOpen`
	params := map[string]any{"textDocument": map[string]any{"uri": e.uri(name), "languageId": "json", "version": version, "text": text}}
	if version > 1 {
		method = `textDocument/didChange`
		params["contentChanges"] = []any{map[string]any{"text": text}}
	}
	src, err := json.Marshal(params)
	if err != nil {
		e.Fatal(err)
	}
	e.tell(method, string(src))
}

// at returns the parameters of a request about the place of a text in a document.
func (e *editor) at(name, text, place string) string {
	e.Helper()
	offset := strings.Index(text, place)
	if offset < 0 {
		e.Fatalf("no %q in %s", place, text)
	}
	p := newContent([]byte(text), false).position(offset)
	src, _ := json.Marshal(map[string]any{
		"textDocument": map[string]any{"uri": e.uri(name)}, "position": p,
		"context": map[string]any{"includeDeclaration": true, "diagnostics": []any{}},
		"range":   span{Start: position{}, End: position{Line: 1 << 20}},
	})
	return string(src)
}

// wait returns the diagnostics of a document that ok accepts, and fails if none come.
func (e *editor) wait(name string, ok func(publishParams) bool) publishParams {
	e.Helper()
	var last publishParams
	timeout := time.After(time.Minute)
	for {
		select {
		case p := <-e.shown:
			if p.URI == e.uri(name) {
				if last = p; ok(p) {
					return p
				}
			}
		case <-timeout:
			e.Fatalf("%s: no such diagnostics; the last are %+v", name, last)
		}
	}
}

// shows waits until a document has findings of exactly the given rules.
func (e *editor) shows(name string, rules ...string) publishParams {
	e.Helper()
	return e.wait(name, func(p publishParams) bool {
		if len(p.Diagnostics) != len(rules) {
			return false
		}
		for i, d := range p.Diagnostics {
			if ruleOf(d) != rules[i] {
				return false
			}
		}
		return true
	})
}

// write writes a file of a project.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	at := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// records are the decisions of the projects of tests.
const (
	oldDecision = `{
  "id": "DEC-OLD",
  "timestamp": "2026-11-01T10:00:00Z",
  "decision": "Use HS256 for tokens"
}
`
	newDecision = `{
  "id": "DEC-NEW",
  "timestamp": "2026-11-02T10:00:00Z",
  "decision": "Use RS256 for tokens",
  "supersedes": "DEC-OLD",
  "files": ["src/token.go"]
}
`
)

// project makes a project with a tree.
func newProject(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write(t, dir, ".forgemind/decisions/DEC-OLD.json", oldDecision)
	write(t, dir, ".forgemind/decisions/DEC-NEW.json", newDecision)
	write(t, dir, "src/token.go", "package src\n")
	return dir
}

// TestDiagnosticsWhileTyping: a person breaks a decision, mends it, and breaks what another
// document says about it, without saving.
func TestDiagnosticsWhileTyping(t *testing.T) {
	t.Parallel()
	dir := newProject(t)
	e := open(t, dir, `{}`)
	const name = ".forgemind/decisions/DEC-NEW.json"
	e.edit(name, 1, newDecision)
	e.edit(name, 2, strings.Replace(newDecision, `"decision": "Use RS256`, `"decision": 7, "x": "Use RS256`, 1))
	got := e.shows(name, "schema")
	d := got.Diagnostics[0]
	if *got.Version != 2 || d.Severity != severityError || d.Source != "forgemind" || d.Range != (span{position{3, 14}, position{3, 15}}) {
		t.Errorf("got %+v of version %d", d, *got.Version)
	}
	if !strings.Contains(d.Message, "\nhint: ") {
		t.Errorf("a message without its hint: %q", d.Message)
	}

	// What is wrong only beside other documents is found as well: here in unsaved text.
	e.edit(name, 3, strings.Replace(newDecision, `"DEC-OLD"`, `"DEC-LOST"`, 1))
	e.shows(name, "dangling-reference")
	e.edit(".forgemind/decisions/DEC-LOST.json", 1, strings.Replace(oldDecision, "DEC-OLD", "DEC-LOST", 1))
	e.shows(name)

	// A document that is not open is told of, too: here it lost what it supersedes.
	e.tell("textDocument/didClose", e.at(name, newDecision, "id"))
	write(t, dir, name, strings.Replace(newDecision, `"DEC-OLD"`, `"DEC-GONE"`, 1))
	e.tell("workspace/didChangeWatchedFiles", `{"changes": [{"uri": "`+e.uri(name)+`", "type": 2}]}`)
	if got := e.shows(name, "dangling-reference"); got.Version != nil {
		t.Errorf("a version of a document that is not open: %+v", got)
	}
	if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
		t.Fatal(err)
	}
	e.tell("textDocument/didSave", e.at(name, newDecision, "id"))
	e.shows(name)
	if left, _ := filepath.Glob(filepath.Join(dir, ".forgemind", ".local", "*")); left != nil {
		t.Errorf("the server wrote %v", left)
	}
}

// TestStaleCheck: what a check of an older text found is not shown.
func TestStaleCheck(t *testing.T) {
	t.Parallel()
	e := open(t, newProject(t), `{}`)
	const name = ".forgemind/decisions/DEC-NEW.json"
	e.edit(name, 1, "{")
	e.shows(name, "json-syntax")
	old := e.server.find(e.uri(name))
	e.edit(name, 2, newDecision)
	e.shows(name)
	stale := []diagnostic{{Message: "stale"}}
	project := e.server.projects[old.root]
	e.server.publish(project, old, stale)
	e.server.publish(project, &document{root: old.root, name: old.name}, stale) // as of a check from before it was opened
	e.ask("workspace/symbol", `{"query": ""}`)
	for len(e.shown) > 0 {
		if p := <-e.shown; len(p.Diagnostics) > 0 {
			t.Errorf("a stale finding is shown: %+v", p)
		}
	}
}

// TestIncrementalSync edits a text with characters of several widths and all line endings, in the
// units that were negotiated.
func TestIncrementalSync(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		capabilities, encoding string
		width                  int // of what stands before "decision"
	}{
		{`{}`, "utf-16", len(`"": 1, `) + 3},
		{`{"general": {"positionEncodings": ["utf-32", "utf-8", "utf-16"]}}`, "utf-8", len(`"ä😀": 1, `)},
	} {
		t.Run(c.encoding, func(t *testing.T) {
			t.Parallel()
			e := open(t, newProject(t), c.capabilities)
			const name = ".forgemind/decisions/DEC-A.json"
			e.edit(name, 1, "{\"id\": \"DEC-A\",\r\n\"timestamp\": \"2026-11-01T10:00:00Z\",\r\"ä😀\": 1, \"decision\": \"x\"}\r\n")
			e.shows(name)
			params := func(version, line, from, to int, text string) string {
				src, _ := json.Marshal(map[string]any{
					"textDocument":   map[string]any{"uri": e.uri(name), "version": version},
					"contentChanges": []any{map[string]any{"range": span{position{line, from}, position{line, to}}, "text": text}},
				})
				return string(src)
			}
			e.tell("textDocument/didChange", params(2, 2, c.width+len(`"decision": `), c.width+len(`"decision": "x"`), "7"))
			got := e.shows(name, "schema").Diagnostics[0].Range
			if want := (position{2, c.width + len(`"decision": `)}); got.Start != want || got.End != (position{2, want.Character + 1}) {
				t.Errorf("the finding is at %+v, want %+v", got, want)
			}
			e.tell("textDocument/didChange", params(3, 2, c.width+len(`"decision": `), c.width+len(`"decision": 7`), `"y"`))
			e.shows(name)
			e.tell("textDocument/didChange", params(4, 3, 0, 0, "]"))
			e.shows(name, "json-syntax")
		})
	}
}
