package browser_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestDashboardShowsThePlayedTree walks through all views, in both colour schemes
// and on a phone.
func TestDashboardShowsThePlayedTree(t *testing.T) {
	b := openDashboard(t)
	b.visit("sessions")
	b.await("active here")
	session := get[string](b, `document.querySelector("#body .card a").hash.slice(2)`)
	axe, _ := os.ReadFile(os.Getenv("AXE")) // a test without it says less
	for _, scheme := range []string{"light", "dark"} {
		for _, size := range []struct {
			name          string
			width, height int64
		}{{"desktop", 1280, 900}, {"phone", 390, 844}} {
			b.do(protocol(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}),
				chromedp.EmulateViewport(size.width, size.height))
			for _, view := range []struct{ hash, shows string }{
				{"health", "Plant the south wall"},
				{"health", "Context window"},
				{"decisions", "Superseded by"},
				{"decisions/DEC-WALL2", "Chain"},
				{"condensations", "Which pears keep"},
				{"condensations/2026-11-18-mortar.md", "As it stands in the file"},
				{"projects", "South wall"},
				{"projects/south-wall", "Current State"},
				{"channels", "pinned by ann"},
				{"handoffs", "Ask the quarry"},
				{"handoffs/handoff-quarry", "Results"},
				{"threads", "Mortar for the south wall"},
				{"threads/thread-mortar", "lime mortar"},
				{"sessions", "active here"},
				{session, "Tiers"},
				{"drops", "Dropped chunks"},
				{"triggers", "layer_transition"},
				{"audit", "thread-gate"},
			} {
				b.visit(view.hash)
				b.await(view.shows)
				b.look(fmt.Sprintf("%s-%s-%s", strings.NewReplacer("/", "-", ".md", "", session, "session-one").Replace(view.hash), size.name, scheme))
				b.run(`document.querySelectorAll("details").forEach((d) => { d.open = true })`)
				if b.truth("document.documentElement.scrollWidth > document.documentElement.clientWidth") {
					t.Errorf("%s on a %s scrolls sideways", view.hash, size.name)
				}
				if len(axe) > 0 {
					b.judge(view.hash+" "+size.name+" "+scheme, string(axe))
				}
			}
		}
	}
}

func TestDashboardFindsACondensation(t *testing.T) {
	b := openDashboard(t)
	b.visit("condensations")
	b.await("2 condensations")
	b.do(chromedp.SendKeys(chromedp.CSS("#filter-q"), "wedding"))
	b.await("1 condensation (of 2)")
	b.await("Which pears keep")
	if strings.Contains(b.text(), "Mortar for the south wall") {
		t.Error("one that does not fit is still shown")
	}
	if !b.truth(`document.activeElement.id === "filter-q"`) {
		t.Error("whoever types lost the field")
	}
	b.do(chromedp.SendKeys(chromedp.CSS("#filter-q"), "nobody said this"))
	b.await("No condensation fits")
}

func TestDashboardFollowsTheDisk(t *testing.T) {
	b := openDashboard(t)
	b.visit("decisions")
	b.await("Hang the gate on oak posts")
	b.run(`document.querySelector("details").open = true; document.querySelector("#body a").focus()`)
	before := time.Now()
	b.write(".forgemind/decisions/DEC-NEW.json", `{"id": "DEC-NEW", "timestamp": "2026-11-20T18:00:00Z", "decision": "Paint the gate green", "immutable": true}`)
	b.await("Paint the gate green")
	t.Logf("a new decision was on the page after %v", time.Since(before))
	if !b.truth(`document.querySelector("details").open`) {
		t.Error("what was open is shut")
	}
	if !b.truth(`document.activeElement.matches("#body a")`) {
		t.Error("the focus is lost")
	}
	b.visit("condensations")
	b.await("2 condensations")
	before = time.Now()
	b.write(".forgemind/condensations/2026-11-20-gate.md", condensation("Colour of the gate", "2026-11-20", "garden", "Green."))
	b.await("Colour of the gate")
	t.Logf("a new condensation was on the page after %v", time.Since(before))
	b.awaitTrue(`document.getElementById("said").textContent.includes("changed on disk")`)
}

// largeTree makes a tree of 10,000 decisions, 1,000 condensations and 100 threads.
func largeTree(b *pageTest) {
	at := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 10_000 {
		at = at.Add(time.Hour)
		b.write(fmt.Sprintf(".forgemind/decisions/DEC-%05d.json", i),
			fmt.Sprintf(`{"id": "DEC-%05d", "timestamp": %q, "decision": "Stone %d goes into row %d", "supersedes": "DEC-%05d", "immutable": true}`, i, at.Format(time.RFC3339), i, i%97, i-i%5-7))
	}
	for i := range 1000 {
		day := at.AddDate(0, 0, -i).Format(time.DateOnly)
		b.write(fmt.Sprintf(".forgemind/condensations/%s-row-%d.md", day, i), condensation(fmt.Sprintf("Row %d of the wall", i), day, "wall", fmt.Sprintf("Stone %d.", 7*i)))
	}
	for i := range 100 {
		name := fmt.Sprintf(".forgemind/threads/channel-%d/thread-%d.json", i%7, i)
		b.write(name, fmt.Sprintf(`{"id": "thread-%d", "channel": "channel-%d", "title": "Which stone for row %d?", "status": %q, "participants": ["ann", "ben"], "opened": "2026-11-01T09:00:00Z"}`, i, i%7, i, []string{"active", "resolved", "archived"}[i%3]))
		b.write(name+"l", strings.Repeat(fmt.Sprintf("{\"msg_id\": \"msg-%d\", \"timestamp\": \"2026-11-01T09:00:00Z\", \"agent\": \"ann\", \"content\": \"The flat one, I'd say.\"}\n", i), 20))
	}
}

// TestDashboardShowsALargeTree finds everything in a tree of some years.
func TestDashboardShowsALargeTree(t *testing.T) {
	b := openDashboard(t, largeTree)
	for _, c := range []struct{ hash, shows string }{
		{"decisions", "10,005 decisions"}, {"condensations", "1,002 condensations"}, {"condensations?q=nobody", "No condensation"}, {"threads", "104 threads"},
		{"condensations?q=row+777", "Row 777 of the wall"}, {"decisions?q=9876", "Stone 9876"}, {"decisions?offset=9950", "page 200 of"}, {"health", "Context window"}, {"audit", "Looked at"},
	} {
		b.visit(c.hash)
		b.await(c.shows)
	}
	b.do(chromedp.EmulateViewport(1200, 900))
	for _, hash := range []string{"health", "decisions", "threads"} {
		b.visit(hash)
		b.look("large-" + hash)
	}
}

// BenchmarkDashboard measures on a large tree how long a person waits: for a view
// from its navigation to its first row, for what is typed into the search, for a
// change on disk. sent-B is the size of a view's JSON.
func BenchmarkDashboard(bench *testing.B) {
	b := openDashboard(bench, largeTree)
	for _, c := range []struct{ view, shows, query, finds string }{
		{"decisions", "Stone 9999", "9876", "Stone 9876"},
		{"condensations", "Row 0 of the wall", "row 777", "Row 777 of the wall"},
		{"threads", "Which stone for row", "row 93", "Which stone for row 93?"},
	} {
		bench.Run(c.view, func(bench *testing.B) {
			for bench.Loop() {
				b.do(chromedp.Navigate(b.address+"#/"+c.view), chromedp.Reload())
				b.await(c.shows)
			}
			bench.ReportMetric(get[float64](b, `api("`+c.view+`").then((d) => JSON.stringify(d).length)`), "sent-B")
		})
		bench.Run(c.view+"-search", func(bench *testing.B) {
			for bench.Loop() {
				bench.StopTimer()
				b.visit(c.view)
				b.await(c.shows)
				bench.StartTimer()
				b.do(chromedp.SendKeys(chromedp.CSS("#filter-q"), c.query))
				b.awaitTrue(fmt.Sprintf(`!document.querySelector("main").innerText.includes(%q) || %v`, c.shows, c.view == "threads"))
				b.await(c.finds)
				bench.StopTimer()
				b.visit("health")
				bench.StartTimer()
			}
		})
	}
	bench.Run("change", func(bench *testing.B) {
		b.visit("condensations")
		for n := 0; bench.Loop(); n++ {
			topic := fmt.Sprintf("Colour %d of the gate", time.Now().UnixNano())
			b.write(fmt.Sprintf(".forgemind/condensations/2099-11-20-gate-%d.md", n), condensation(topic, "2099-11-20", "garden", "Green."))
			b.await(topic)
		}
	})
	bench.Logf("memory of the server: %s", b.memory())
}

// TestDashboardShowsMarkupAsText has a stranger write into every kind of document.
func TestDashboardShowsMarkupAsText(t *testing.T) {
	b := openDashboard(t)
	const hostile = "<script>document.title='taken'</script><img src=x onerror=document.title='taken'> [a](javascript:document.title='taken') \u202eturned \u001b[2Jcleared"
	text := func(format string) string { // hostile as a string of JSON
		return strings.ReplaceAll(format, "HOSTILE", strings.NewReplacer("\u202e", `\u202e`, "\u001b", `\u001b`).Replace(hostile))
	}
	long := strings.Repeat("Donaudampfschifffahrtsgesellschaft", 20)
	b.forgemind("message", "add", "Note: "+hostile, "--agent", "ann")
	b.write(".forgemind/decisions/DEC-EVIL.json", text(`{"id": "DEC-EVIL", "timestamp": "2026-11-20T18:00:00Z", "decision": "HOSTILE", "rationale": "`+long+`", "project": "HOSTILE", "files": ["HOSTILE"], "immutable": true}`))
	b.write(".forgemind/condensations/2026-11-20-evil.md", condensation(hostile, "2026-11-20", "<b>garden</b>", hostile+long))
	b.write(".forgemind/channels/garden/pins.json", `{"channel": "garden", "pins": [{"condensation": "2026-11-20-evil.md", "pinned_by": "<i>ann</i>"}, {"condensation": "<script>", "pinned_by": "ann"}]}`)
	b.write(".forgemind/threads/garden/thread-evil.json", text(`{"id": "thread-evil", "channel": "garden", "title": "HOSTILE", "status": "active", "opened": "2026-11-20T09:00:00Z"}`))
	b.write(".forgemind/threads/garden/thread-evil.jsonl", text(`{"msg_id": "msg-1", "timestamp": "2026-11-20T10:00:00Z", "agent": "<i>ann</i>", "content": "HOSTILE `+long+`"}`+"\n"))
	b.write(".forgemind/projects/evil/project.json", text(`{"id": "evil", "name": "HOSTILE", "channels": ["garden"], "blocked": "HOSTILE"}`))
	b.write(".forgemind/projects/evil/CONTEXT.md", "# "+hostile+"\n\n- "+hostile+"\n- **"+hostile+"** `"+hostile+"`\n\n```\n"+hostile+"\n```\n<!-- "+hostile+" -->\n"+long+"\n")
	b.write(".forgemind/handoffs/handoff-evil.json", text(`{"id": "handoff-evil", "task": "HOSTILE", "from": "HOSTILE", "to": "HOSTILE", "created": "2026-11-20T12:00:00Z", "status": "open", "summary": "HOSTILE", "results": {"HOSTILE": "HOSTILE"}, "files": ["HOSTILE"]}`))
	b.visit("sessions")
	b.await("active here")
	session := get[string](b, `document.querySelector("#body .card a").hash.slice(2)`)
	b.do(chromedp.EmulateViewport(390, 844))
	for _, hash := range []string{
		"decisions", "decisions/DEC-EVIL", "condensations", "condensations/2026-11-20-evil.md", "condensations?q=" + url.QueryEscape("<script>"), "channels",
		"threads", "threads/thread-evil", "projects", "projects/evil", "handoffs", "handoffs/handoff-evil", session,
	} {
		b.visit(hash)
		b.await("<script>document.title='taken'</script>")
		b.await(`\u202eturned`)
		if b.truth(`/[\u0000-\u0008\u001b\u202a-\u202e]/.test(document.body.innerText + document.title)`) {
			t.Errorf("%s: a control character is on the page", hash)
		}
		if b.truth(`document.title === "taken" || document.querySelector("main script, main img, main b, main i") !== null`) {
			t.Errorf("%s: a text became markup", hash)
		}
		if b.truth(`[...document.querySelectorAll("a")].some((a) => a.protocol !== location.protocol || a.origin !== location.origin)`) {
			t.Errorf("%s: a text became a link out of the page", hash)
		}
		if b.truth("document.documentElement.scrollWidth > document.documentElement.clientWidth") {
			t.Errorf("%s scrolls sideways for a long word", hash)
		}
		b.look("hostile-" + strings.NewReplacer("/", "-", ".md", "", "?", "-", session, "session-one").Replace(hash[:min(len(hash), 40)]))
	}
}

func TestDashboardIsUsableByKeyboard(t *testing.T) {
	b := openDashboard(t)
	b.do(chromedp.EmulateViewport(1200, 900))
	b.visit("health")
	b.await("Context window")
	b.run(`document.activeElement.blur(); document.body.focus()`)
	b.do(chromedp.KeyEvent(kb.Tab))
	if !b.truth(`document.activeElement.id === "skip"`) {
		t.Error("the first stop is not the link to the content")
	}
	b.do(chromedp.KeyEvent(kb.Enter))
	if !b.truth(`document.activeElement.id === "main"`) {
		t.Error("the link to the content does not lead there")
	}
	b.run(`document.querySelector('#views a[data-view="decisions"]').focus()`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.await("Hang the gate on oak posts")
	if !b.truth(`document.activeElement.id === "title" && document.title.startsWith("Decisions")`) {
		t.Error("a new view does not begin at its heading")
	}
	if !b.truth(`document.querySelector('#views a[aria-current="page"]').dataset.view === "decisions"`) {
		t.Error("the navigation does not say where we are")
	}
	for range 20 { // to the first decision, through the filters
		b.do(chromedp.KeyEvent(kb.Tab))
		if b.truth(`document.activeElement.closest(".cards .card") !== null`) {
			b.do(chromedp.KeyEvent(kb.Enter))
			b.awaitTrue(`location.hash.startsWith("#/decisions/DEC-")`)
			return
		}
	}
	t.Error("no decision is reached by the Tab key")
}

// TestDashboardHasAMenuOnAPhone walks the views where there is no room for their
// list.
func TestDashboardHasAMenuOnAPhone(t *testing.T) {
	b := openDashboard(t)
	b.do(chromedp.EmulateViewport(390, 844))
	if b.truth(`document.getElementById("views").checkVisibility()`) {
		t.Error("the list of views takes the room of what is shown")
	}
	b.run(`document.getElementById("menu").focus()`)
	b.do(chromedp.KeyEvent(kb.Enter))
	if !b.truth(`document.getElementById("views").checkVisibility() && document.getElementById("menu").ariaExpanded === "true"`) {
		t.Error("the menu does not open")
	}
	b.look("menu-phone")
	b.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Escape))
	if b.truth(`document.getElementById("views").checkVisibility() || document.activeElement.id !== "menu"`) {
		t.Error("Escape does not lead back to the button")
	}
	b.do(chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	b.await("Plant a hedge where the stack of brick ends")
	if b.truth(`document.getElementById("views").checkVisibility()`) {
		t.Error("the menu stays before what was chosen")
	}
}

// TestDashboardSaysWhatIsBroken shows a tree whose State is none.
func TestDashboardSaysWhatIsBroken(t *testing.T) {
	b := openDashboard(t, func(b *pageTest) {
		b.write(".forgemind/context/current-context.json", `{"version": "1.0", "project": {"current_layer": `)
		b.write(".forgemind/threads/garden/thread-torn.json", `{"id": `)
		b.write(".forgemind/handoffs/handoff-torn.json", `[]`)
		b.write(".forgemind/projects/torn/project.json", `<<<<<<< HEAD`)
		b.write(".forgemind/channels/garden/pins.json", `{"pins": 7}`)
	})
	b.visit("health")
	b.await("current-context.json cannot be read")
	b.do(chromedp.EmulateViewport(1200, 900))
	b.look("broken-state")
	for _, c := range []struct{ hash, shows string }{
		{"decisions", "Hang the gate on oak posts"}, {"threads", "could not be read"}, {"handoffs", "could not be read"}, {"projects", "could not be read"}, {"channels", "pins.json"},
		{"condensations", "Which pears keep"}, {"sessions", "session"}, {"drops", "Dropped chunks"}, {"triggers", "layer_transition"}, {"audit", "could not be read"},
	} {
		b.visit(c.hash)
		b.await(c.shows)
	}
	b.visit("health")
	b.write(".forgemind/context/current-context.json", `{}`)
	b.await("error")
}

// TestDashboardShowsAnEmptyTree says in each view what would stand there.
func TestDashboardShowsAnEmptyTree(t *testing.T) {
	b := openDashboard(t, func(b *pageTest) {
		if err := os.RemoveAll(b.dir + "/.forgemind"); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(b.dir + "/.quaid"); err != nil {
			t.Fatal(err)
		}
		b.forgemind("init")
	})
	b.do(chromedp.EmulateViewport(1200, 900))
	for _, c := range []struct{ hash, shows string }{
		{"health", "Context window"}, {"decisions", "Nothing is decided yet"}, {"condensations", "forgemind condense"}, {"projects", "forgemind projects new"}, {"threads", "forgemind thread open"}, {"channels", "No channel"},
		{"handoffs", "forgemind handoff add"}, {"drops", "Nothing left a conversation yet"}, {"triggers", "None has fired yet"}, {"audit", "Nothing is stale"}, {"sessions", "No session"},
	} {
		b.visit(c.hash)
		b.await(c.shows)
		b.look("empty-" + c.hash)
	}
}

func TestDashboardRefusesOtherSites(t *testing.T) {
	b := openDashboard(t)
	at, _ := url.Parse(b.address)
	for _, c := range []struct {
		name   string
		change func(*http.Request)
		status int
	}{
		{"as it is meant", func(*http.Request) {}, 200},
		{"no token", func(r *http.Request) { r.URL.RawQuery = "" }, 403},
		{"another token", func(r *http.Request) { r.URL.RawQuery = "token=guess" }, 403},
		{"a foreign origin", func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, 403},
		{"a foreign host", func(r *http.Request) { r.Host = "evil.example" }, 403},
	} {
		r, err := http.NewRequest(http.MethodGet, b.address, nil)
		if err != nil {
			t.Fatal(err)
		}
		c.change(r)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != c.status {
			t.Errorf("%s: %d, want %d", c.name, answer.StatusCode, c.status)
		}
	}
	// A page of another origin asks with the token that it somehow has.
	b.do(chromedp.Navigate("data:text/html,<title>another site</title>"))
	ask := fmt.Sprintf(`fetch(%q).then(() => "read", () => "refused")`, at.Scheme+"://"+at.Host+"/api/health?"+at.RawQuery)
	if said := get[string](b, ask); said != "refused" {
		t.Errorf("another site's page got an answer: %s", said)
	}
	b.wrong = nil // the browser says so, too
}
