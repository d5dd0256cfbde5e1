package dash

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	iofs "io/fs"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/audit"
)

const token = "the-token-of-this-test"

// A scene is a tree on disk, its server, and somebody who asks.
type scene struct {
	*testing.T
	dir    string
	server *Server
	host   string
}

// open lays out a tree of files by name, and serves it.
func open(t *testing.T, files map[string]string) *scene {
	s := &scene{T: t, dir: t.TempDir()}
	for name, text := range files {
		s.write(name, text)
	}
	tree, err := fs.Open(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	s.server = New(Options{Tree: tree, Token: token, Sources: Sources{
		Session:  func(*fs.Tree, string) (any, error) { return map[string]any{"version": 1}, nil },
		Triggers: func(*fs.Tree) (any, error) { return []string{"layer_transition"}, nil },
		Audit: func(context.Context, *fs.Tree) (audit.Report, error) {
			return audit.Report{Findings: []audit.Finding{{ID: "a", Kind: "past-due"}, {ID: "b", Kind: "moved-file"}}}, nil
		},
	}})
	web := httptest.NewServer(s.server.Handler())
	t.Cleanup(web.Close)
	s.host = strings.TrimPrefix(web.URL, "http://")
	s.server.Hosts = []string{s.host}
	return s
}

func (s *scene) write(name, text string) {
	s.Helper()
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		s.Fatal(err)
	}
}

// ask makes a request as it is meant, changed by those who mean it otherwise.
func (s *scene) ask(path string, change ...func(*http.Request)) (status int, header http.Header, text string) {
	s.Helper()
	r, err := http.NewRequest(http.MethodGet, "http://"+s.host+path, nil)
	if err != nil {
		s.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	for _, c := range change {
		c(r)
	}
	client := http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		s.Fatal(err)
	}
	return answer.StatusCode, answer.Header, string(body)
}

// get is the JSON at a path.
func (s *scene) get(path string) map[string]any {
	s.Helper()
	status, _, text := s.ask(path)
	var value map[string]any
	if err := json.Unmarshal([]byte(text), &value); status != http.StatusOK || err != nil {
		s.Fatalf("%s: %d %v: %s", path, status, err, text)
	}
	return value
}

// ids are those of a list, in order.
func (s *scene) ids(path, list string) string {
	s.Helper()
	var ids []string
	for _, one := range s.get(path)[list].([]any) {
		ids = append(ids, fmt.Sprint(one.(map[string]any)["id"]))
	}
	return strings.Join(ids, " ")
}

func TestOnlyWhoHasTheTokenIsAnswered(t *testing.T) {
	s := open(t, map[string]string{".forgemind/decisions/DEC-1.json": `{"id": "DEC-1", "decision": "secret", "immutable": true}`})
	unnamed := func(r *http.Request) { r.Header.Del("Authorization") }
	origin := func(value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Origin", value) }
	}
	host := func(value string) func(*http.Request) { return func(r *http.Request) { r.Host = value } }
	_, port, _ := net.SplitHostPort(s.host)
	for _, path := range []string{"/", "/app.js", "/api/decisions", "/api/events", "/nowhere"} {
		for _, c := range []struct {
			name   string
			path   string
			change func(*http.Request)
		}{
			{"no token", "", unnamed},
			{"an empty token", "?token=", unnamed},
			{"another token", "?token=the-token-of-this-tesT", unnamed},
			{"another bearer", "?token=" + token, func(r *http.Request) { r.Header.Set("Authorization", "Bearer guess") }},
			{"a foreign origin", "", origin("http://evil.example")},
			{"an origin of no name", "", origin("null")},
			{"an origin on another port", "", origin("http://127.0.0.1:1")},
			{"an origin by another way", "", origin("https://" + s.host)},
			{"two origins", "", func(r *http.Request) { r.Header["Origin"] = []string{"http://" + s.host, "http://evil.example"} }},
			{"a foreign host", "", host("evil.example")},
			{"a foreign host on this port", "", host("evil.example:" + port)},
			{"this host on another port", "", host("127.0.0.1:1")},
		} {
			if status, _, text := s.ask(path+c.path, c.change); status != http.StatusForbidden || strings.Contains(text, "secret") {
				t.Errorf("%s with %s: %d %s", path, c.name, status, text)
			}
		}
	}
	for _, c := range []struct {
		name   string
		path   string
		change func(*http.Request)
	}{
		{"the bearer's token", "/api/decisions", func(*http.Request) {}},
		{"the token in the address", "/api/decisions?token=" + token, unnamed},
		{"our own origin", "/api/decisions", origin("http://" + s.host)},
		{"HEAD", "/api/decisions", func(r *http.Request) { r.Method = http.MethodHead }},
	} {
		if status, _, _ := s.ask(c.path, c.change); status != http.StatusOK {
			t.Errorf("%s: %d", c.name, status)
		}
	}
}

func TestNothingCanBeChanged(t *testing.T) {
	t.Parallel() // it waits
	s := open(t, map[string]string{
		".forgemind/decisions/DEC-1.json":                     `{"id": "DEC-1", "decision": "Use sandstone", "immutable": true}`,
		".forgemind/condensations/2026-11-18-mortar.md":       "**Decision:** Lime.\n",
		".forgemind/threads/garden/thread-1.jsonl":            `{"content": "torn`,
		".quaid/context/sessions/conv-1/recent_history.jsonl": "",
	})
	before := s.bytes()
	for _, path := range []string{"/", "/api/health", "/api/decisions", "/api/decisions/DEC-1", "/api/condensations", "/api/condensations/2026-11-18-mortar.md",
		"/api/threads", "/api/channels", "/api/projects", "/api/handoffs", "/api/sessions", "/api/sessions/conv-1", "/api/drops", "/api/triggers", "/api/audit"} {
		if status, _, text := s.ask(path); status != http.StatusOK {
			t.Errorf("%s: %d %s", path, status, text)
		}
		for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS"} {
			if status, _, _ := s.ask(path, func(r *http.Request) { r.Method = method }); status != http.StatusMethodNotAllowed {
				t.Errorf("%s %s: %d", method, path, status)
			}
		}
	}
	if after := s.bytes(); !maps.Equal(before, after) {
		t.Errorf("before %q\nafter %q", before, after)
	}
}

// bytes are those of all documents, by name.
func (s *scene) bytes() map[string]string {
	all := map[string]string{}
	_ = filepath.WalkDir(s.dir, func(name string, entry iofs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && !strings.Contains(name, fs.LocalDir) {
			src, _ := os.ReadFile(name)
			all[name] = string(src)
		}
		return err
	})
	return all
}

func TestATicketIsGoodOnce(t *testing.T) {
	s := open(t, nil)
	address, err := s.server.Ticket(bytes.NewReader(bytes.Repeat([]byte{7}, 64)))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(address, token) {
		t.Error("the ticket tells the token")
	}
	at, _ := url.Parse(address)
	unnamed := func(r *http.Request) { r.Header.Del("Authorization") }
	status, header, _ := s.ask(at.RequestURI(), unnamed)
	if status != http.StatusSeeOther || header.Get("Location") != s.server.Address() {
		t.Errorf("the first time: %d %s", status, header.Get("Location"))
	}
	if status, _, _ := s.ask(at.RequestURI(), unnamed); status != http.StatusForbidden {
		t.Errorf("the second time: %d", status)
	}
}

func TestThePageNeedsNothingFromElsewhere(t *testing.T) {
	s := open(t, nil)
	_, header, text := s.ask("/")
	for name, want := range map[string]string{"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"} {
		if header.Get(name) != want {
			t.Errorf("%s is %q", name, header.Get(name))
		}
	}
	for _, m := range regexp.MustCompile(`<script[^>]*>(.*?)</script>`).FindAllStringSubmatch(text, -1) {
		if m[1] != "" {
			t.Errorf("a script stands in the page: %s", m[1])
		}
	}
	if regexp.MustCompile(`\son\w+=|style=|https?:`).MatchString(text) {
		t.Error("the page holds an inline script or style, or an address of elsewhere")
	}
	parts := regexp.MustCompile(`(?:src|href)="([^"#]+)"`).FindAllStringSubmatch(text, -1)
	if len(parts) < 5 {
		t.Fatalf("the page has the parts %v", parts)
	}
	for _, m := range parts {
		status, _, part := s.ask("/"+m[1], func(r *http.Request) { r.Header.Del("Authorization") })
		if status != http.StatusOK {
			t.Errorf("%s: %d", m[1], status)
		}
		part = strings.ReplaceAll(part, "http://www.w3.org/2000/svg", "")
		if regexp.MustCompile(`https?://|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function`).MatchString(part) {
			t.Errorf("%s reaches elsewhere, or makes markup of text", m[1])
		}
	}
}

func TestDecisionsTellWhatSupersededThem(t *testing.T) {
	t.Parallel() // it waits
	files := map[string]string{}
	for i, d := range []string{
		`"decision": "Brick", "decision_maker": "ann", "project": "wall"`,
		`"decision": "Sandstone", "rationale": "Frost", "supersedes": "DEC-1", "project": "wall"`,
		`"decision": "Granite", "supersedes": ["DEC-2", "DEC-99"], "decision_maker": "ben"`,
		`"decision": "Oak posts"`,
		`"decision": "Slate", "supersedes": "DEC-1"`, // which was superseded long ago
	} {
		files[fmt.Sprintf(".forgemind/decisions/DEC-%d.json", i+1)] = fmt.Sprintf(`{"id": "DEC-%d", "timestamp": "2026-11-0%dT10:00:00Z", "immutable": true, %s}`, i+1, i+1, d)
	}
	files[".forgemind/decisions/DEC-9.json"] = `{"id": torn`
	s := open(t, files)
	for query, want := range map[string]string{
		"":                                "DEC-5 DEC-4 DEC-3 DEC-2 DEC-1",
		"?status=current":                 "DEC-5 DEC-4 DEC-3",
		"?status=superseded":              "DEC-2 DEC-1",
		"?q=FROST":                        "DEC-2",
		"?q=sandstone+granite":            "",
		"?maker=ann":                      "DEC-1",
		"?project=wall&status=superseded": "DEC-2 DEC-1",
		"?from=2026-11-02&to=2026-11-03":  "DEC-3 DEC-2",
		"?limit=1&offset=1":               "DEC-4",
		"?offset=100":                     "",
	} {
		if got := s.ids("/api/decisions"+query, "decisions"); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
	list := s.get("/api/decisions?limit=2")
	if fmt.Sprint(list["total"], list["matched"], list["current"]) != "5 5 3" || len(list["faults"].([]any)) != 1 {
		t.Errorf("%v", list)
	}
	for id, want := range map[string]string{"DEC-1": "DEC-1>DEC-2 DEC-2>DEC-3 DEC-3>", "DEC-3": "DEC-1>DEC-2 DEC-2>DEC-3 DEC-3>", "DEC-4": "", "DEC-5": ""} {
		var links []string
		chain, _ := s.get("/api/decisions/" + id)["chain"].([]any)
		for _, l := range chain {
			by, _ := l.(map[string]any)["superseded_by"].(string)
			links = append(links, l.(map[string]any)["id"].(string)+">"+by)
		}
		if got := strings.Join(links, " "); got != want {
			t.Errorf("the chain of %s is %q, want %q", id, got, want)
		}
	}
	for path, want := range map[string]int{"/api/decisions/DEC-0": 404, "/api/decisions?limit=many": 400, "/api/decisions?offset=-1": 400, "/api/decisions?status=holds": 400, "/api/nothing": 404} {
		if status, _, text := s.ask(path); status != want {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
}

func TestCondensationsAreFound(t *testing.T) {
	s := open(t, map[string]string{
		".forgemind/condensations/2026-11-18-mortar.md": "## 📝 Condensation: Mortar\n\n**Date:** 2026-11-18\n**Channel:** #wall\n**Participants:** ann, ben\n**Context:** Frost.\n**Decision:** Lime mortar.\n**Rationale:** _not found in the discussion_\n**Action items:**\n- ann: order lime\n**Supersedes:** DEC-1\n",
		".forgemind/condensations/2026-11-12-pears.md":  "## Condensation: Pears\n**Date:** 2026-11-12\n**Channel:** #garden\n**Participants:** ann\n**Decision:** Conference.\n",
		".forgemind/condensations/2026-10-01-notes.md":  "Somebody's notes, <script>in no form</script>.\n",
		".forgemind/condensations/notes.txt":            "not one",
		".forgemind/channels/roof/pins.json":            `{"channel": "roof", "pins": [{"condensation": "condensations/2026-11-18-mortar"}]}`,
		".forgemind/channels/wall/pins.json":            `{"channel": "wall", "pins": [{"condensation": "2026-11-18-mortar.md"}]}`,
	})
	const mortar, pears, notes = "2026-11-18-mortar.md", "2026-11-12-pears.md", "2026-10-01-notes.md"
	for query, want := range map[string]string{
		"":                 mortar + " " + pears + " " + notes,
		"?q=LIME+frost":    mortar,
		"?q=somebody":      notes,
		"?q=nobody":        "",
		"?channel=garden":  pears,
		"?participant=ann": mortar + " " + pears,
		"?pinned=1":        mortar,
		"?to=2026-10-31":   notes,
	} {
		if got := s.ids("/api/condensations"+query, "condensations"); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
	one := s.get("/api/condensations/" + mortar)
	for name, want := range map[string]string{"topic": "Mortar", "decision": "Lime mortar.", "action_items": "[ann: order lime]", "supersedes": "[DEC-1]", "missing": "[Rationale]", "pinned": "[roof wall]"} {
		if got := fmt.Sprint(one[name]); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	formless := s.get("/api/condensations/" + notes)
	if formless["fault"] == nil || !strings.Contains(formless["text"].(string), "<script>") || formless["date"] != "2026-10-01" {
		t.Errorf("%v", formless)
	}
}

func TestThreadsAreShownAsFarAsTheyCanBeRead(t *testing.T) {
	t.Parallel() // it waits
	s := open(t, map[string]string{
		".forgemind/threads/wall/thread-a.json":   `{"id": "thread-a", "channel": "wall", "title": "Mortar", "status": "resolved", "opened": "2026-11-01T10:00:00Z"}`,
		".forgemind/threads/wall/thread-a.jsonl":  `{"msg_id": "m1", "timestamp": "2026-11-01T10:00:00Z", "agent": "ann", "content": "Lime?"}` + "\n" + `{"content": "torn`,
		".forgemind/threads/garden/thread-b.json": `{"id": "thread-b", "channel": "garden", "title": "Pears", "status": "active", "opened": "2026-10-01T10:00:00Z"}`,
	})
	for query, want := range map[string]string{"": "thread-b thread-a", "?status=resolved": "thread-a", "?channel=garden": "thread-b", "?q=mort": "thread-a"} {
		if got := s.ids("/api/threads"+query, "threads"); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
	if got := s.ids("/api/threads/thread-a", "messages"); got != "m1" {
		t.Errorf("messages %q", got)
	}
	if s.get("/api/threads/thread-a")["faults"] == nil {
		t.Error("the torn line is not told")
	}
}

// What an agent wrote into its hot context waits as what the State shows does.
func TestActionsOfTheSessionAreCounted(t *testing.T) {
	s := open(t, map[string]string{
		fs.State:         `{"version": "1.0", "project": {"name": "x"}, "pending_actions": [{"id": "ACT-1", "action": "Order mortar"}]}`,
		fs.ActiveSession: "conv-1\n",
		fs.Sessions + "/conv-1/hot_context.json": `{"conversation_id": "conv-1", "pending_actions": [
			{"id": "ACT-1", "action": "Order mortar"}, {"id": "ACT-2", "action": "Build the wall"}],
			"open_questions": [{"id": "Q-1", "question": "How high?"}]}`,
	})
	if got := held(s.get("/api/health"), "next") + held(s.get("/api/health"), "open_questions"); got != "[ACT-1 ACT-2][Q-1]" {
		t.Errorf("%s wait", got)
	}
}

// A record that is new is looked at by who shows sessions, and by who shows the whole.
func TestRecordsWakeTheirViews(t *testing.T) {
	for _, dir := range []string{"questions", "actions", "goals", "constraints", "notes"} {
		topics := topicsOf(fs.Quaid + "/" + dir + "/x.json")
		for _, topic := range []string{ofSessions, ofHealth, ofAudit} {
			if !slices.Contains(topics, topic) {
				t.Errorf("%s: %q is not among %q", dir, topic, topics)
			}
		}
	}
}

// A log that rounds the ratio to four places leaves the page to round it as the gauge is
// rounded; one that says another ratio than its tokens is shown as it stands.
func TestTheHistoryAgreesWithTheGauge(t *testing.T) {
	s := open(t, map[string]string{".forgemind/logs/context/context-health.jsonl": `{"timestamp": "2026-11-01T10:00:00Z", "current_tokens": 298, "limit": 200000, "pct_used": 0.0015}
{"timestamp": "2026-11-01T11:00:00Z", "current_tokens": 298, "limit": 200000, "pct_used": 0.5}
{"timestamp": "2026-11-01T12:00:00Z", "pct_used": 0.25}
`})
	var ratios []any
	for _, p := range s.get("/api/health")["history"].([]any) {
		ratios = append(ratios, p.(map[string]any)["ratio"])
	}
	if want := []any{0.00149, 0.5, 0.25}; !slices.Equal(ratios, want) {
		t.Errorf("the ratios are %v, want %v", ratios, want)
	}
}

func TestTheHistoryOfTheWindowKeepsItsPeaks(t *testing.T) {
	var lines strings.Builder
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for i := range 5000 {
		full := 0.2
		if i == 4321 {
			full = 0.97
		}
		fmt.Fprintf(&lines, "{\"timestamp\": %q, \"current_tokens\": 10, \"limit\": 100, \"pct_used\": %v}\n", at.Add(time.Duration(i)*time.Minute).Format(time.RFC3339), full)
	}
	s := open(t, map[string]string{
		".forgemind/logs/context/context-health.jsonl": lines.String(),
		".forgemind/logs/context/drops.jsonl": `{"timestamp": "2026-11-01T10:00:00Z", "event": "drop", "chunk_id": "chunk-1", "session_id": "s", "reason": "low_relevance", "relevance_score": 0.11, "threshold_used": 0.3}
{"timestamp": "2026-11-01T11:00:00Z", "event": "drop", "chunk_id": "chunk-2", "session_id": "s", "reason": "tool_output", "relevance_score": 0, "threshold_used": 0}
`,
		".forgemind/logs/context/recovery.jsonl": `{"timestamp": "2026-11-01T12:00:00Z", "event": "recovered", "chunk_id": "chunk-1", "trigger": "manual"}` + "\n",
	})
	h := s.get("/api/health")
	history := h["history"].([]any)
	peak := slices.ContainsFunc(history, func(p any) bool { return p.(map[string]any)["ratio"] == 0.97 })
	if len(history) > mostMeasured || !peak || h["looks"] != 5000.0 {
		t.Errorf("%d points of %v looks, peak %v", len(history), h["looks"], peak)
	}
	if got := s.ids("/api/drops", "drops"); got != "chunk-2 chunk-1" {
		t.Errorf("drops %q", got)
	}
	if got := s.ids("/api/drops?reason=low_relevance", "drops"); got != "chunk-1" {
		t.Errorf("drops %q", got)
	}
	if got := s.get("/api/drops?q=chunk-1")["drops"].([]any)[0].(map[string]any)["recovered"]; got != true {
		t.Errorf("recovered is %v", got)
	}
	if got := s.ids("/api/audit?kind=moved-file", "findings"); got != "b" {
		t.Errorf("findings %q", got)
	}
}

func TestAChangeIsToldAndShown(t *testing.T) {
	s := open(t, map[string]string{".forgemind/decisions/DEC-1.json": `{"id": "DEC-1", "decision": "Brick", "immutable": true}`})
	if got := s.ids("/api/decisions", "decisions"); got != "DEC-1" {
		t.Fatal(got)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute) // it would wait forever for what does not come
	defer stop()
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.host+"/api/events?token="+token, nil)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	events := bufio.NewScanner(answer.Body)
	await := func(want string) {
		t.Helper()
		for events.Scan() {
			if strings.HasPrefix(events.Text(), want) {
				return
			}
		}
		t.Fatalf("the stream ended before %q", want)
	}
	await("event: hello")
	s.write(".forgemind/decisions/DEC-2.json", `{"id": "DEC-2", "decision": "Sandstone", "immutable": true}`)
	s.server.Changed([]string{".forgemind/decisions/DEC-2.json"}, false)
	await("event: change")
	await(`data: {"topics":["audit","decisions","health","projects","sessions","triggers"]}`)
	if got := s.ids("/api/decisions", "decisions"); got != "DEC-2 DEC-1" && got != "DEC-1 DEC-2" {
		t.Errorf("after the change: %q", got)
	}
	s.server.Changed([]string{".forgemind/logs/context/drops.jsonl"}, false)
	await(`data: {"topics":["health","logs","triggers"]}`)
	s.server.Changed(nil, true)
	await(`data: {"topics":["audit","channels","condensations"`)
}

func TestLongTextsAreCut(t *testing.T) {
	long := strings.Repeat("ä", 1<<20)
	s := open(t, map[string]string{
		".forgemind/decisions/DEC-1.json":          `{"id": "DEC-1", "decision": "` + long + `", "rationale": "` + long + `", "immutable": true}`,
		".forgemind/condensations/2026-11-01-a.md": "**Decision:** " + long[:1<<19] + "\n",
	})
	for _, path := range []string{"/api/decisions", "/api/decisions/DEC-1", "/api/condensations", "/api/condensations/2026-11-01-a.md"} {
		if _, _, text := s.ask(path); len(text) > 5*longText {
			t.Errorf("%s: %d bytes", path, len(text))
		}
	}
}

func TestBothLoopbackAddressesAndNoOther(t *testing.T) {
	listeners, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	hosts := Hosts(listeners)
	ports := map[string]bool{}
	for _, l := range listeners {
		at := l.Addr().(*net.TCPAddr)
		if !at.IP.IsLoopback() {
			t.Errorf("it listens on %v", at)
		}
		ports[fmt.Sprint(at.Port)] = true
	}
	if len(ports) != 1 || !strings.HasPrefix(hosts[len(hosts)-1], "localhost:") {
		t.Errorf("ports %v, hosts %v", ports, hosts)
	}
	tree, err := fs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	server := New(Options{Tree: tree, Token: token, Hosts: hosts})
	go func() { ended <- server.Serve(ctx, listeners...) }()
	for _, host := range hosts[:len(listeners)] {
		answer, err := http.Get("http://" + host + "/?token=" + token)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", host, answer.StatusCode)
		}
	}
	stream, err := http.Get("http://" + hosts[0] + "/api/events?token=" + token) // one that is open does not hold it up
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	stop()
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
	if _, err := Listen(listeners[0].Addr().(*net.TCPAddr).Port); err != nil {
		t.Errorf("the port is not given back: %v", err)
	}
}
