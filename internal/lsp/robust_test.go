package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
)

// framed returns messages as they are sent.
func framed(messages ...string) io.Reader {
	var b bytes.Buffer
	for _, m := range messages {
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(m), m)
	}
	return &b
}

// session serves messages until the connection ends.
func session(in io.Reader) (out string, err error) {
	var b bytes.Buffer
	err = Serve(context.Background(), Options{In: in, Out: &b, Log: io.Discard, Now: time.Now})
	return b.String(), err
}

// TestMalformedMessages: what cannot be understood is answered, and the next message is read.
func TestMalformedMessages(t *testing.T) {
	t.Parallel()
	out, err := session(framed(
		`{"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": {}}`,
		`{"jsonrpc"`, `[]`,
		`{"jsonrpc": "2.0", "id": 4, "method": "initialize", "params": {}}`, `{"jsonrpc": "2.0", "id": 3, "method": "workspace/didChangeWorkspaceFolders", "params": [7]}`,
		`{"jsonrpc": "2.0", "id": 5, "method": "nothing/known"}`, `{"jsonrpc": "2.0", "method": "$/unknown"}`,
		`{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {"uri": 7}}}`,
		`{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {"uri": "file:///nowhere"}, "contentChanges": [{"text": ""}]}}`,
		`{"jsonrpc": "2.0", "id": 6, "method": "shutdown"}`, `{"jsonrpc": "2.0", "id": 7, "method": "shutdown"}`, `{"jsonrpc": "2.0", "method": "exit"}`,
	))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"id":1,"error":{"code":-32002`, `"error":{"code":-32700`, `"id":3,"error":{"code":-32602`, `"id":4,"result":{"capabilities"`,
		`"id":5,"error":{"code":-32601`, `"id":6,"result":null`, `"id":7,"error":{"code":-32600`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
}

// TestEndOfConnection: an editor that exits without the request to shut down is told of.
func TestEndOfConnection(t *testing.T) {
	t.Parallel()
	if _, err := session(framed(`{"jsonrpc": "2.0", "method": "exit"}`)); !errors.Is(err, ErrNoShutdown) {
		t.Errorf("got %v, want ErrNoShutdown", err)
	}
	if _, err := session(framed()); err != nil {
		t.Errorf("the end of the input: %v", err)
	}
	for _, header := range []string{"Content-Length: 99999999999\r\n\r\n", "Content-Length: x\r\n\r\n", "Accept: all\r\n\r\n", strings.Repeat("x", 2*maxHeader)} {
		if _, err := session(strings.NewReader(header)); err == nil || !strings.Contains(err.Error(), "read a message") {
			t.Errorf("%.40q: got %v", header, err)
		}
	}
	if _, err := session(strings.NewReader("Content-Length: 10\r\n\r\n{")); err == nil {
		t.Error("half of a message is no error")
	}
}

// TestPlaceOf tells documents from other files.
func TestPlaceOf(t *testing.T) {
	t.Parallel()
	for uri, want := range map[string]string{
		"file:///w/.forgemind/config.json":                       "/w/ .forgemind/config.json",
		"file:///w/a%20b/%2Equaid/config.json":                   "/w/a b/ .quaid/config.json",
		"file://localhost/.forgemind/x.md":                       "/ .forgemind/x.md",
		"file:///w/%C3%A4%3A/.forgemind/decisions/D%231.json":    "/w/ä:/ .forgemind/decisions/D#1.json",
		"file:///w/.forgemind/.local/acted.json":                 "",
		"file:///w/.forgemind/../x.json":                         "",
		"file:///w/.forgemind/a/%2e%2e/%2e%2e/%2e%2e/etc/passwd": "",
		"file:///w/src/main.go":                                  "",
		"file:///w/.forgemind":                                   "",
		"file:///w/.forgemind/a%00b.json":                        "",
		"file://other.host/w/.forgemind/config.json":             "",
		"untitled:Untitled-1":                                    "",
		"http://w/.forgemind/config.json":                        "",
		"%zz":                                                    "",
		"":                                                       "",
	} {
		root, name, ok := placeOf(uri)
		if got := filepath.ToSlash(root) + " " + name; ok != (want != "") || ok && got != want {
			t.Errorf("%s: got %q, %v, want %q", uri, got, ok, want)
		}
	}
}

// TestOddPlaces: other files are ignored; a tree need not exist, and its name may be any.
func TestOddPlaces(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ä b#%41")
	e := open(t, dir, `{}`)
	e.edit("main.json", 1, "{")
	const name = ".forgemind/decisions/DEC-A.json"
	e.edit(name, 1, `{"id": "DEC-A", "timestamp": "2026-11-01T10:00:00Z", "decision": 7}`)
	e.shows(name, "schema")
	write(t, dir, ".forgemind/config.json", "{}\n")
	e.edit(name, 2, `{"id": "DEC-A", "timestamp": "2026-11-01T10:00:00Z", "decision": "x", "supersedes": "DEC-B"}`)
	e.shows(name, "dangling-reference")
	e.tell("textDocument/didClose", e.at(name, "x", "x"))
	e.shows(name)

	// A large document is not checked, and another one still is.
	e.edit(".forgemind/context/messages.jsonl", 1, strings.Repeat(`{"msg_id": "`+strings.Repeat("x", 1<<20)+`"}`+"\n", maxDocument>>20))
	e.wait(".forgemind/context/messages.jsonl", func(p publishParams) bool {
		return len(p.Diagnostics) == 1 && strings.Contains(p.Diagnostics[0].Message, "16 MiB")
	})
	e.edit(name, 1, "{")
	e.shows(name, "json-syntax")
	for len(e.shown) > 0 {
		if p := <-e.shown; p.URI == e.uri("main.json") {
			t.Errorf("a file outside of the tree was checked: %+v", p)
		}
	}
}

// TestForeignTree leaves the folder of another product alone.
func TestForeignTree(t *testing.T) {
	t.Parallel()
	dir := newProject(t)
	write(t, dir, ".forgemind/context/current-context.json", `{"schema": "other/1"}`)
	e := open(t, dir, `{}`)
	const name = ".forgemind/decisions/DEC-NEW.json"
	e.edit(name, 1, "{")
	e.shows(name)
}

// TestShutdown answers the request and ends.
func TestShutdown(t *testing.T) {
	t.Parallel()
	e := open(t, newProject(t), `{"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}}`)
	if method := <-e.asked; method != "client/registerCapability" {
		t.Errorf("the server asked %s", method)
	}
	e.ask("shutdown", `null`)
	e.tell("exit", `null`)
	if err := <-e.ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// TestSlowAndFaultyRequests: a request can be canceled, a fault ends one request, and the server goes on.
func TestSlowAndFaultyRequests(t *testing.T) {
	t.Parallel()
	fromEditor, toServer := io.Pipe()
	fromServer, toEditor := io.Pipe()
	lifetime, end := context.WithCancel(t.Context())
	s := newServer(lifetime, Options{In: fromEditor, Out: toEditor, Log: io.Discard, Now: time.Now})
	began := make(chan bool, 1)
	s.table["test/slow"] = handle(s, func(ctx context.Context, _ none) (any, error) {
		began <- true
		<-ctx.Done()
		return nil, ctx.Err()
	})
	s.table["test/fault"] = handle(s, func(context.Context, none) (any, error) { panic("a fault") })
	ended := make(chan error)
	go func() { ended <- s.serve(t.Context(), end) }()
	client := jrpc2.NewClient(channel.LSP(fromServer, toServer), nil)
	call := func(method string) error {
		_, err := client.Call(t.Context(), method, map[string]any{})
		return err
	}
	if err := call("initialize"); err != nil {
		t.Fatal(err)
	}
	if err := call("test/fault"); jrpc2.ErrorCode(err) != jrpc2.InternalError {
		t.Errorf("a fault: %v", err)
	}
	go func() {
		<-began
		client.Notify(t.Context(), "$/cancelRequest", map[string]any{"id": 3})
	}()
	if err := call("test/slow"); jrpc2.ErrorCode(err) != requestCancelled {
		t.Errorf("a canceled request: %v", err)
	}
	if err := call("shutdown"); err != nil {
		t.Error(err)
	}
	client.Notify(t.Context(), "exit", nil)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	toEditor.Close()
	client.Close()
}
