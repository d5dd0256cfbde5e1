package dash

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/present"
)

// Handler returns the handler for all requests. It checks their authorization.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, answer := range map[string]func(*http.Request) (any, error){
		"/api/health":             s.health,
		"/api/decisions":          s.listDecisions,
		"/api/decisions/{id}":     s.showDecision,
		"/api/condensations":      s.listCondensations,
		"/api/condensations/{id}": s.showCondensation,
		"/api/threads":            s.listThreads,
		"/api/threads/{id}":       s.showThread,
		"/api/channels":           s.listChannels,
		"/api/channels/{id}":      s.showChannel,
		"/api/projects":           s.listProjects,
		"/api/projects/{id}":      s.showProject,
		"/api/handoffs":           s.listHandoffs,
		"/api/handoffs/{id}":      s.showHandoff,
		"/api/sessions":           s.listSessions,
		"/api/sessions/{id}":      s.showSession,
		"/api/drops":              s.listDrops,
		"/api/triggers":           s.listTriggers,
		"/api/audit":              s.listStale,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { reply(w, r, answer) })
	}
	mux.HandleFunc("/api/events", s.events)
	mux.HandleFunc("/", s.page)
	return s.guard(mux)
}

// errMissing is something that is not there.
var errMissing error = missingError{}

type missingError struct{}

func (missingError) Error() string { return "it is not there" }

// Problem implements present.Classified.
func (missingError) Problem() present.Problem { return present.Problem{Kind: present.NotFound} }

// A badQueryError reports an invalid request.
type badQueryError struct{ msg string }

func (e *badQueryError) Error() string { return e.msg }

// Problem implements present.Classified.
func (e *badQueryError) Problem() present.Problem { return present.Problem{Kind: present.Usage} }

// statusOf returns the HTTP status of an error.
func statusOf(err error) int {
	switch present.ProblemOf(err).Kind {
	case present.Usage:
		return http.StatusBadRequest
	case present.NotFound:
		return http.StatusNotFound
	case present.Conflict, present.Precondition:
		return http.StatusConflict
	case present.Busy:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// reply answers with the JSON of what answer gives.
func reply(w http.ResponseWriter, r *http.Request, answer func(*http.Request) (any, error)) {
	value, err := answer(r)
	var text []byte
	if err == nil {
		text, err = jsonedit.Value(value)
	}
	status := http.StatusOK
	if err != nil {
		status = statusOf(err)
		text, _ = jsonedit.Value(struct {
			Version int    `json:"version"`
			Error   string `json:"error"`
		}{1, clip(err.Error(), 1000)}) // a string always encodes
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(text) // the client may be gone
}

// A page describes a part of a list.
type page struct {
	Version int `json:"version"`
	Total   int `json:"total"`   // number of items without filters
	Matched int `json:"matched"` // number with filters
	Offset  int `json:"offset"`  // index of the first item in the answer
	Limit   int `json:"limit"`
}

// Sizes of a page.
const (
	usualLimit = 50
	mostLimit  = 500
)

// pageOf returns the page of matched that a request asks for.
func pageOf[T any](r *http.Request, total int, matched []T) (page, []T, error) {
	p := page{Version: 1, Total: total, Matched: len(matched), Limit: usualLimit}
	for name, to := range map[string]*int{"offset": &p.Offset, "limit": &p.Limit} {
		text := r.URL.Query().Get(name)
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return p, nil, &badQueryError{fmt.Sprintf("%s is no number from 0: %q", name, clip(text, 40))}
		}
		*to = n
	}
	p.Limit = min(max(p.Limit, 1), mostLimit)
	p.Offset = min(p.Offset, len(matched))
	return p, append([]T{}, matched[p.Offset:min(p.Offset+p.Limit, len(matched))]...), nil
}

// A sought holds the search words of a request. All must occur.
type sought []string

func soughtIn(r *http.Request) sought {
	return strings.Fields(strings.ToLower(clip(r.URL.Query().Get("q"), 500)))
}

// in reports whether all words occur in a text in lower case.
func (words sought) in(text string) bool {
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// A facet is a value by which a list can be filtered, with its frequency.
type facet struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// Limits for texts in answers, in bytes.
const (
	longText  = 64 << 10 // in the view of one item
	shortText = 600      // in a list
	word      = 200      // of a list within a list
)

// Limits for lists of texts in answers.
const (
	many = 100 // in the view of one item
	few  = 5   // in a list
)

// clip returns text cut to at most n bytes of UTF-8, and a remark if it was cut.
func clip(text string, n int) string {
	if len(text) > n {
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		text = text[:n] + " …"
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// clipAll returns the first texts of a list, at most most, each clipped.
func clipAll(list []string, n, most int) []string {
	clipped := []string{}
	for _, text := range list[:min(len(list), most)] {
		clipped = append(clipped, clip(text, n))
	}
	return clipped
}
