package dash

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Handler answers the requests of those who may ask.
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
var errMissing = errors.New("it is not there")

// A badQuery is a request that cannot be understood.
type badQuery struct{ msg string }

func (e *badQuery) Error() string { return e.msg }

// reply answers with the JSON of what answer gives.
func reply(w http.ResponseWriter, r *http.Request, answer func(*http.Request) (any, error)) {
	value, err := answer(r)
	var text []byte
	if err == nil {
		text, err = jsonedit.Value(value)
	}
	status := http.StatusOK
	if err != nil {
		var bad *badQuery
		var session *engine.UnknownSession
		switch {
		case errors.As(err, &bad):
			status = http.StatusBadRequest
		case errors.Is(err, errMissing), errors.Is(err, iofs.ErrNotExist), errors.As(err, &session):
			status = http.StatusNotFound
		default:
			status = http.StatusInternalServerError
		}
		text, _ = jsonedit.Value(struct {
			Version int    `json:"version"`
			Error   string `json:"error"`
		}{1, clip(err.Error(), 1000)}) // a string always has a text
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(text) // who asked may be gone
}

// A page is a part of a list.
type page struct {
	Version int `json:"version"`
	Total   int `json:"total"`   // without filters
	Matched int `json:"matched"` // with them
	Offset  int `json:"offset"`  // of the first that is in the answer
	Limit   int `json:"limit"`
}

// The size of a page.
const (
	usualLimit = 50
	mostLimit  = 500
)

// pageOf cuts the page that a request asks for out of what matched.
func pageOf[T any](r *http.Request, total int, matched []T) (page, []T, error) {
	p := page{Version: 1, Total: total, Matched: len(matched), Limit: usualLimit}
	for name, to := range map[string]*int{"offset": &p.Offset, "limit": &p.Limit} {
		text := r.URL.Query().Get(name)
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return p, nil, &badQuery{fmt.Sprintf("%s is no number from 0: %q", name, clip(text, 40))}
		}
		*to = n
	}
	p.Limit = min(max(p.Limit, 1), mostLimit)
	p.Offset = min(p.Offset, len(matched))
	return p, append([]T{}, matched[p.Offset:min(p.Offset+p.Limit, len(matched))]...), nil
}

// A sought is what a request looks for: words that all have to occur.
type sought []string

func soughtIn(r *http.Request) sought {
	return strings.Fields(strings.ToLower(clip(r.URL.Query().Get("q"), 500)))
}

// in says whether all words occur in a text that is in lower case.
func (words sought) in(text string) bool {
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// A facet is a value that a list can be narrowed to.
type facet struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// How much of a text is sent, in bytes.
const (
	longText  = 64 << 10 // where one is looked at
	shortText = 600      // in a list
	word      = 200      // of a list in a list
)

// How much of a list of texts is sent.
const (
	many = 100 // where one is looked at
	few  = 5   // in a list
)

// clip is text, of at most n bytes and some more that say that it was cut, in
// UTF-8.
func clip(text string, n int) string {
	if len(text) > n {
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		text = text[:n] + " …"
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// clipAll clips the first of a list, most at most.
func clipAll(list []string, n, most int) []string {
	clipped := []string{}
	for _, text := range list[:min(len(list), most)] {
		clipped = append(clipped, clip(text, n))
	}
	return clipped
}
