package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestExportedPage opens the page of `forgemind export html` from the disk, in both
// colour schemes and on a phone, and searches it.
func TestExportedPage(t *testing.T) {
	b := openTree(t)
	b.forgemind("constraint", "add", "<script>document.title='taken'</script><img src=x onerror=document.title='taken'> \u202eturned")
	b.forgemind("export", "html", "--output", "tree.html")
	b.address = "file://" + filepath.ToSlash(filepath.Join(b.dir, "tree.html"))
	b.browse()
	b.await("Hang the gate on oak posts")
	axe, _ := os.ReadFile(os.Getenv("AXE")) // a test without it says less
	for _, scheme := range []string{"light", "dark"} {
		for _, size := range []struct {
			name          string
			width, height int64
		}{{"desktop", 1200, 900}, {"phone", 390, 844}} {
			b.do(protocol(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}),
				chromedp.EmulateViewport(size.width, size.height))
			b.run(`document.querySelectorAll("details").forEach((d) => { d.open = true })`)
			b.look(fmt.Sprintf("export-%s-%s", size.name, scheme))
			if b.truth("document.documentElement.scrollWidth > document.documentElement.clientWidth") {
				t.Errorf("the page on a %s scrolls sideways", size.name)
			}
			if len(axe) > 0 {
				b.judge("export "+size.name+" "+scheme, string(axe))
			}
		}
	}
	if b.truth(`document.title === "taken" || document.querySelector("main script, main img") !== null`) {
		t.Error("a text became markup")
	}
	all := get[int](b, `document.querySelectorAll("article:not([hidden])").length`)
	b.do(chromedp.SendKeys(chromedp.CSS("#words"), "OAK gate"))
	b.awaitTrue(`document.getElementById("count").textContent.includes(" of ")`)
	if found := get[int](b, `document.querySelectorAll("article:not([hidden])").length`); found < 1 || found >= all {
		t.Errorf("the search shows %d of %d entries", found, all)
	}
	b.run(`document.getElementById("current").click()`)
	if b.truth(`document.querySelector("article.closed:not([hidden])")`) {
		t.Error("what is superseded is shown as in force")
	}
	b.run(`location.hash = document.querySelector("article[hidden]").id`)
	b.awaitTrue(`document.querySelector("article[hidden]") === null`) // a link leads to what the search hides
}
