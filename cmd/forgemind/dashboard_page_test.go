//go:build browser

package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long a test waits for what must come.
const patience = time.Minute

// A pageTest is a tree, its dashboard, and a browser that shows it.
type pageTest struct {
	testing.TB
	dir, address string
	ctx          context.Context

	mu    sync.Mutex
	wrong []string // what the browser complained about
}

// chromiumIsHere says whether there is a browser by one of the names that chromedp
// knows.
func chromiumIsHere() bool {
	return slices.ContainsFunc([]string{"headless-shell", "headless_shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "google-chrome-beta", "google-chrome-unstable", "chrome"},
		func(name string) bool { _, err := exec.LookPath(name); return err == nil })
}

// openDashboard plays a short day on a new tree, runs `forgemind dashboard` on it
// and opens its page. What is to happen before is in more.
func openDashboard(t testing.TB, more ...func(*pageTest)) *pageTest {
	t.Helper()
	if !chromiumIsHere() {
		t.Skip("there is no chromium on the PATH to show the page to")
	}
	b := &pageTest{TB: t, dir: t.TempDir()}
	b.play()
	for _, prepare := range more {
		prepare(b)
	}
	ctx, stop := context.WithCancel(context.Background())
	read, write := io.Pipe()
	ended := make(chan int, 1)
	p := b.program()
	p.Stdout = write
	go func() {
		code := p.run(ctx, []string{"forgemind", "dashboard"})
		write.Close()
		ended <- code
	}()
	printed := bufio.NewReader(read)
	line, err := printed.ReadString('\n')
	if err != nil {
		t.Fatalf("no address: %v; %s", err, p.Stderr)
	}
	go io.Copy(io.Discard, printed)
	b.address = strings.TrimSpace(line)
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != exitDone {
			t.Errorf("the dashboard ended with %d: %s", code, p.Stderr)
		}
	})
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.Flag("lang", "en-GB"))
	browsers, close := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(close)
	tab, closeTab := chromedp.NewContext(browsers)
	t.Cleanup(closeTab)
	b.ctx = tab
	if err := chromedp.Listen(tab, func(event any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			b.wrong = append(b.wrong, e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			b.wrong = append(b.wrong, e.Entry.Text)
		}
	}); err != nil {
		t.Fatalf("the browser does not start: %v", err)
	}
	t.Cleanup(func() {
		for _, text := range b.wrong {
			t.Errorf("the browser says: %s", text)
		}
	})
	b.do(command(log.Enable, cdp.Empty{}), chromedp.Navigate(b.address))
	b.awaitTrue(`document.getElementById("link").textContent === "live"`)
	return b
}

func (b *pageTest) program() *program {
	return &program{
		Stdin: strings.NewReader(""), Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer),
		Getenv: func(string) string { return "" },
		Getwd:  func() (string, error) { return b.dir, nil },
		Now:    time.Now, Rand: rand.Reader,
	}
}

// forgemind runs one command.
func (b *pageTest) forgemind(args ...string) {
	b.Helper()
	p := b.program()
	if code := p.run(context.Background(), append([]string{"forgemind"}, args...)); code != exitDone {
		b.Fatalf("%v: %d: %s", args, code, p.Stderr)
	}
}

// write writes a file as somebody else does.
func (b *pageTest) write(name, text string) {
	b.Helper()
	file := filepath.Join(b.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
}

// command is a command of the browser's protocol, without its answer.
func command[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

// do lets the browser act.
func (b *pageTest) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.Fatal(err)
	}
}

// get is the value of an expression, or of its promise.
func get[T any](b *pageTest, expression string) T {
	b.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatalf("%.200s: %v", expression, err)
	}
	return value
}

func (b *pageTest) run(script string) {
	b.Helper()
	get[bool](b, script+"; true")
}

func (b *pageTest) truth(expression string) bool {
	b.Helper()
	return get[bool](b, "Boolean("+expression+")")
}

// text is what the page shows.
func (b *pageTest) text() string {
	b.Helper()
	return get[string](b, `document.querySelector("main").innerText`)
}

func (b *pageTest) visit(hash string) {
	b.Helper()
	b.run(fmt.Sprintf(`location.hash = "#/" + %q`, hash))
	b.awaitTrue(`!document.querySelector("#body[aria-busy]") && decodeURI(location.hash) !== ""`)
}

// await waits until the page shows a text.
func (b *pageTest) await(text string) {
	b.Helper()
	b.awaitTrue(fmt.Sprintf(`document.querySelector("main").innerText.includes(%q)`, text))
}

func (b *pageTest) awaitTrue(expression string) {
	b.Helper()
	for end := time.Now().Add(patience); !b.truth(expression); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			b.Fatalf("it never came to hold that %s; the page shows:\n%s\n%v", expression, b.text(), b.wrong)
		}
	}
}

// look keeps a picture of the whole page.
func (b *pageTest) look(name string) {
	b.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.ArtifactDir(), name+".png"), picture, 0o644); err != nil {
		b.Fatal(err)
	}
}

// judge has axe-core look for what keeps people out.
func (b *pageTest) judge(where, axe string) {
	b.Helper()
	b.run(axe)
	found := get[[]string](b, `axe.run({resultTypes: ["violations"]}).then((r) => r.violations.map((v) =>
		v.impact + ": " + v.id + ": " + v.help + ": " + v.nodes.map((n) => n.html).slice(0, 3).join(" ")))`)
	for _, f := range found {
		b.Errorf("%s: %s", where, f)
	}
}
