package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"unicode"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// longestResult bounds the characters of a result; where it is one text, those of its text
// and of its structured content each.
const longestResult = 10_000

// An agentTest is a tree, and a forgemind mcp that serves it to the official Go
// client.
type agentTest struct {
	*testing.T
	dir     string
	session *sdk.ClientSession
}

// ran runs forgemind in a directory.
func ran(t *testing.T, dir string, argv ...string) string {
	t.Helper()
	command := exec.Command("forgemind", argv...)
	command.Dir = dir
	out, err := command.Output()
	if err != nil {
		t.Fatalf("forgemind %s: %v\n%s", strings.Join(argv, " "), err, out)
	}
	return string(out)
}

// aTree is a tree with something in it. It is made once, and copied.
func aTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, madeOnce(t)); err != nil {
		t.Fatal(err)
	}
	return dir
}

var made struct {
	sync.Mutex
	files fstest.MapFS
}

func madeOnce(t *testing.T) fstest.MapFS {
	t.Helper()
	made.Lock()
	defer made.Unlock()
	if made.files != nil {
		return made.files
	}
	dir := t.TempDir()
	ran(t, dir, "init", "--full")
	ran(t, dir, "goal", "add", "Plant the south wall", "--priority", "high")
	ran(t, dir, "constraint", "add", "No pear that needs a warm winter, says walls/south.md")
	ran(t, dir, "decision", "add", "Plant Conference", "--rationale", "it pollinates itself", "--alternative", "Williams", "--file", "walls/south.md")
	ran(t, dir, "question", "ask", "Which mortar?")
	ran(t, dir, "message", "add", "The hives stand at the river since April", "--agent", "user")
	files := fstest.MapFS{}
	err := filepath.WalkDir(dir, func(at string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, at)
		if err != nil {
			return err
		}
		src, err := os.ReadFile(at)
		files[filepath.ToSlash(name)] = &fstest.MapFile{Data: src, Mode: 0o666}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	made.files = files
	return files
}

// serve starts forgemind mcp on a tree and connects to it by a version of the
// protocol; "" is the newest.
func serve(t *testing.T, dir, version string, flags ...string) *agentTest {
	t.Helper()
	command := exec.Command("forgemind", append([]string{"mcp"}, flags...)...)
	command.Dir = dir
	stderr := new(bytes.Buffer)
	command.Stderr = stderr
	client := sdk.NewClient(&sdk.Implementation{Name: "Test Agent", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: command}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	t.Cleanup(func() {
		session.Close()
		if code := command.ProcessState.ExitCode(); code != 0 {
			t.Errorf("the server ended with %d:\n%s", code, stderr)
		}
	})
	return &agentTest{t, dir, session}
}

// serveHere is serve without a process of its own, for many trees.
func serveHere(t *testing.T, dir string, flags ...string) *agentTest {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := testProgram(t)
	p.Stdin, p.Stdout = fromClient, toClient
	p.Getwd = func() (string, error) { return dir, nil }
	ended := make(chan int, 1)
	go func() {
		ended <- p.run(context.Background(), append([]string{"forgemind", "mcp"}, flags...))
		toClient.Close()
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "Test Agent", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		if code := <-ended; code != exitDone {
			t.Errorf("the server ended with %d:\n%s", code, p.Stderr)
		}
	})
	return &agentTest{t, dir, session}
}

// saidBeside matches what the text of a result says beside its items: that something was cut
// and how to get it, and that there is nothing.
var saidBeside = regexp.MustCompile(`(?m)^(?:\[cut: \d+ more of \d+; (.*)\]|\[cut: (.*)\]|(no \w+; .*))$`)

// call calls a tool, and checks what is true of every result.
func (a *agentTest) call(name string, arguments map[string]any) *sdk.CallToolResult {
	a.Helper()
	result, err := a.session.CallTool(a.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		a.Fatalf("%s %v: %v", name, arguments, err)
	}
	text := textOf(result)
	structured := ""
	if result.StructuredContent != nil {
		structured = encoded(a.T, result.StructuredContent)
	}
	n, m := utf8.RuneCountInString(text), utf8.RuneCountInString(structured)
	if said, _ := result.StructuredContent.(map[string]any); name == "brief" || name == "context" {
		if n = max(n, m) - m; !result.IsError && said["text"] != text {
			a.Errorf("%s %v: the structured content says another text: %.2000q, not %.2000q", name, arguments, said["text"], text)
		}
	}
	if n+m > longestResult {
		a.Errorf("%s %v: a result of %d characters", name, arguments, n+m)
	}
	if !result.IsError {
		for _, part := range saidBeside.FindAllStringSubmatch(text, -1) {
			if said := encoded(a.T, part[1]+part[2]+part[3]); !strings.Contains(structured, said[1:len(said)-1]) {
				a.Errorf("%s %v: the structured content leaves out %s", name, arguments, said)
			}
		}
	}
	if text == "" {
		a.Errorf("%s %v says nothing", name, arguments)
	}
	if result.IsError && structured != "" {
		a.Errorf("%s: an error with structured content, which some clients then show alone", name)
	}
	harmlessText(a.T, name, text)
	harmlessValue(a.T, name, result.StructuredContent)
	return result
}

// does is call of a tool that must succeed; it returns its text and its structure.
func (a *agentTest) does(name string, arguments map[string]any) (string, map[string]any) {
	a.Helper()
	result := a.call(name, arguments)
	if result.IsError {
		a.Fatalf("%s %v: %s", name, arguments, textOf(result))
	}
	structured, _ := result.StructuredContent.(map[string]any)
	return textOf(result), structured
}

// fails is call of a tool that must not, and say all of wants.
func (a *agentTest) fails(name string, arguments map[string]any, wants ...string) {
	a.Helper()
	result := a.call(name, arguments)
	if !result.IsError {
		a.Fatalf("%s %v is no error: %s", name, arguments, textOf(result))
	}
	for _, want := range wants {
		if !strings.Contains(textOf(result), want) {
			a.Errorf("%s %v: no %q in: %s", name, arguments, want, textOf(result))
		}
	}
}

func textOf(result *sdk.CallToolResult) string {
	var all []string
	for _, c := range result.Content {
		all = append(all, c.(*sdk.TextContent).Text)
	}
	return strings.Join(all, "\n")
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// harmlessText fails for what a terminal obeys or hides.
func harmlessText(t *testing.T, where, text string) {
	t.Helper()
	for _, r := range text {
		if r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			t.Errorf("%s: there is %U in %q", where, r, text)
			return
		}
	}
}

func harmlessValue(t *testing.T, where string, v any) {
	t.Helper()
	switch v := v.(type) {
	case string:
		harmlessText(t, where, v)
	case []any:
		for _, one := range v {
			harmlessValue(t, where, one)
		}
	case map[string]any:
		for _, one := range v {
			harmlessValue(t, where, one)
		}
	}
}
