package browser_test

import (
	"bufio"
	"context"
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

// patience is the time that a test waits for an event.
const patience = time.Minute

// A pageTest is a tree, its dashboard, and a browser that shows it.
type pageTest struct {
	testing.TB
	dir, home string
	address   string
	server    int // process id of the dashboard
	ctx       context.Context

	mu    sync.Mutex
	wrong []string // what the browser complained about
}

// chromiumIsHere reports whether there is a browser with a name that chromedp knows.
func chromiumIsHere() bool {
	return slices.ContainsFunc([]string{"headless-shell", "headless_shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "google-chrome-beta", "google-chrome-unstable", "chrome"},
		func(name string) bool { _, err := exec.LookPath(name); return err == nil })
}

// openDashboard plays a short day on a new tree, runs `forgemind dashboard` on it
// and opens its page. What is to happen before is in more.
func openDashboard(t testing.TB, more ...func(*pageTest)) *pageTest {
	t.Helper()
	b := openTree(t)
	for _, prepare := range more {
		prepare(b)
	}
	b.serve()
	b.browse()
	b.awaitTrue(`document.getElementById("link").textContent === "live"`)
	return b
}

// openTree plays a short day on a new tree.
func openTree(t testing.TB) *pageTest {
	t.Helper()
	if !chromiumIsHere() {
		t.Skip("there is no chromium on the PATH to show the page to")
	}
	b := &pageTest{TB: t, dir: t.TempDir(), home: t.TempDir()}
	b.play()
	return b
}

// browse opens the page in a browser, whose complaints fail the test.
func (b *pageTest) browse() {
	b.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.Flag("lang", "en-GB"))
	browsers, close := chromedp.NewExecAllocator(context.Background(), options...)
	b.Cleanup(close)
	tab, closeTab := chromedp.NewContext(browsers)
	b.Cleanup(closeTab)
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
		b.Fatalf("the browser does not start: %v", err)
	}
	b.Cleanup(func() {
		for _, text := range b.wrong {
			b.Errorf("the browser says: %s", text)
		}
	})
	b.do(protocol(log.Enable, cdp.Empty{}), chromedp.Navigate(b.address))
}

// serve runs `forgemind dashboard` until the test ends.
func (b *pageTest) serve() {
	b.Helper()
	ctx, stop := context.WithCancel(context.Background())
	cmd, stderr := b.command(ctx, "dashboard")
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.server = cmd.Process.Pid
	b.Cleanup(func() {
		stop()
		if cmd.Wait(); cmd.ProcessState.ExitCode() != 0 {
			b.Errorf("the dashboard ended with %v: %s", cmd.ProcessState, stderr)
		}
	})
	printed := bufio.NewReader(stdout)
	line, err := printed.ReadString('\n')
	if err != nil {
		b.Fatalf("no address: %v", err)
	}
	b.address = strings.TrimSpace(line)
	go io.Copy(io.Discard, printed)
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

// protocol is a command of the browser's protocol, without its answer.
func protocol[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
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

// get returns the value of an expression, or of its promise.
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

// text returns the text that the page shows.
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
