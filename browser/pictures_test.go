package browser_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

var pictures = flag.String("pictures", "", "`directory` to write the pictures of README to; that of artifacts by default")

// TestPictures takes the pictures that README shows, of a tree with what README records: the
// brief in a terminal, and the page.
func TestPictures(t *testing.T) {
	if !chromiumIsHere() {
		t.Skip("there is no chromium on the PATH to take pictures with")
	}
	b := &pageTest{TB: t, dir: filepath.Join(t.TempDir(), "api"), home: t.TempDir()}
	b.write("internal/api/login.go", "package api\n")
	b.forgemind("init")
	b.forgemind("decision", "add", "Use short-lived JWT access tokens", "--rationale", "Services verify them without a shared session store",
		"--alternative", "Sessions in Redis: one more service to run", "--file", "internal/api/login.go")
	b.forgemind("decision", "add", "Refresh tokens live 7 days", "--rationale", "Users log in once a week")
	b.forgemind("decision", "supersede", "7 days", "Refresh tokens live 30 days", "--rationale", "Users complained")
	b.forgemind("constraint", "add", "Never log a token")
	b.forgemind("goal", "add", "Ship the login API", "--priority", "high")
	b.forgemind("question", "ask", "May a mobile client stay logged in?")
	b.forgemind("action", "add", "Add a logout endpoint")
	b.forgemind("remember", "The staging database is reset every Sunday")

	terminal := httptest.NewServer(http.HandlerFunc(b.showTerminal))
	defer terminal.Close()
	b.address = terminal.URL
	b.browse()
	b.do(chromedp.EmulateViewport(1000, 100))
	b.awaitTrue(`document.querySelector("pre")`)
	b.take("brief")

	b.serve()
	b.do(chromedp.EmulateViewport(1000, 420), chromedp.Navigate(b.address))
	b.awaitTrue(`document.getElementById("link").textContent === "live"`)
	b.await("JWT")
	b.take("page")
}

// showTerminal serves what `forgemind brief` prints as a terminal shows it.
func (b *pageTest) showTerminal(w http.ResponseWriter, _ *http.Request) {
	cmd, stderr := b.command(context.Background(), "brief")
	brief, err := cmd.Output()
	if err != nil {
		b.Error(err, stderr)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><link rel="icon" href="data:,"><body style="margin:0;background:#1d2229"><pre style="margin:0;padding:18px 22px;
color:#dfe4ea;font:13px/1.5 'DejaVu Sans Mono',monospace;white-space:pre-wrap"><span style="color:#7ee0a1">$</span> forgemind brief
%s</pre>`, html.EscapeString(string(brief)))
}

// take writes a picture of the whole page to the directory of pictures.
func (b *pageTest) take(name string) {
	b.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(cmp.Or(*pictures, b.ArtifactDir()), name+".png"), picture, 0o644)
	}
	if err != nil {
		b.Fatal(err)
	}
}
