//go:build clients && unix

package clients

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A line holds the calls that the model makes in a turn, one after the other, and its answer.
type line struct {
	calls  []call
	answer string
	full   bool // with the calls the model states that its window is full
}

// A call is a tool that the model calls.
type call struct {
	tool      string
	arguments map[string]any
}

// An item is a part of a request.
type item struct {
	kind string // user, assistant, system, call or result
	text string
}

// A request holds what a client sent to the model.
type request struct {
	items []item
	tools []string
	size  int // tokens, of four bytes each
}

// A reply holds the call, or the text, that the model answers.
type reply struct {
	call   *call
	text   string
	tokens int // that the request had, as the model states
}

// A protocol reads the requests of a client and writes the replies.
type protocol struct {
	path  string // the end of the address that is asked
	read  func(body []byte) (request, error)
	write func(http.ResponseWriter, reply)
}

// A model answers clients as its line says, and keeps what it was asked.
type model struct {
	server *httptest.Server
	window int // of a client

	mu       sync.Mutex
	line     line
	called   int // calls of the line that were made
	requests []request
	hosts    map[string]bool // that were asked for
	unknown  []string        // what was asked and is not understood
}

// newModel returns a model whose window is full with that many tokens.
func newModel(t *testing.T, window int) *model {
	m := &model{window: window, hosts: map[string]bool{}}
	m.server = httptest.NewServer(m)
	t.Cleanup(m.server.Close)
	return m
}

// play sets what the model does from now on.
func (m *model) play(l line) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.line, m.called, m.requests = l, 0, nil
}

// asked returns the requests since the last call of play.
func (m *model) asked() []request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodConnect || r.URL.IsAbs() {
		m.mu.Lock()
		m.hosts[r.Host] = true
		m.mu.Unlock()
		http.Error(w, "no other host is reached", http.StatusBadGateway)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	for _, p := range protocols {
		if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, p.path) {
			continue
		}
		asked, err := p.read(body)
		if err != nil {
			break
		}
		asked.size = len(body) / 4
		p.write(w, m.reply(asked))
		return
	}
	m.mu.Lock()
	m.unknown = append(m.unknown, fmt.Sprintf("%s %s %.200s", r.Method, r.URL.Path, body))
	m.mu.Unlock()
	http.NotFound(w, r)
}

// reply returns what the line says about a request.
func (m *model) reply(r request) reply {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, r)
	tokens := r.size + 200
	if tag := summaryTag(r); tag != "" {
		return reply{text: "<" + tag + ">\n1. Primary Request: the south wall of the orchard.\n2. Mortar: hydraulic lime.\n</" + tag + ">", tokens: tokens}
	}
	if len(r.tools) == 0 { // for a title
		return reply{text: "The south wall", tokens: tokens}
	}
	if m.called == len(m.line.calls) {
		return reply{text: m.line.answer, tokens: tokens}
	}
	if m.called++; m.line.full {
		tokens = m.window
	}
	return reply{call: &m.line.calls[m.called-1], tokens: tokens}
}

// summaries are words of a request for a summary of the conversation, and the tag around one.
var summaries = [][2]string{
	{"<state_snapshot>", "state_snapshot"},
	{"summary of the conversation", "summary"},
	{"CONTEXT CHECKPOINT COMPACTION", "summary"},
	{"anchored summary", "summary"},
}

// summaryTag returns the tag around the summary that a request is for; "" if it is for none.
func summaryTag(r request) string {
	for i := len(r.items) - 1; i >= 0; i-- {
		if r.items[i].kind != "user" {
			continue
		}
		for _, s := range summaries {
			if strings.Contains(r.items[i].text, s[0]) {
				return s[1]
			}
		}
		return ""
	}
	return ""
}

func mustJSON(value any) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return data
}

// texts returns the text of a content: a string, or parts that have one.
func texts(content json.RawMessage) string {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return s
	}
	var parts []struct{ Text string }
	if json.Unmarshal(content, &parts) != nil {
		return string(content)
	}
	var all []string
	for _, p := range parts {
		all = append(all, p.Text)
	}
	return strings.Join(all, "\n")
}

// events returns a function that sends events of a stream.
func events(w http.ResponseWriter) func(name string, value any) {
	w.Header().Set("Content-Type", "text/event-stream")
	return func(name string, value any) {
		if name != "" {
			io.WriteString(w, "event: "+name+"\n")
		}
		io.WriteString(w, "data: "+string(mustJSON(value))+"\n\n")
	}
}
