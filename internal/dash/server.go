package dash

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/audit"
	"github.com/forgemind/forgemind/internal/health"
)

// Options holds the settings of a Server.
type Options struct {
	Tree  *fs.Tree
	Token string   // see NewToken
	Hosts []string // host:port as in requests; see Hosts
	Now   func() time.Time
	Sources
}

// Sources holds functions that return what commands print with --format json, so that the page
// shows the same. If one other than Report is nil, its view is not available.
type Sources struct {
	Report   func(*fs.Tree) (health.Report, error)                 // status; nil means health.Look
	Session  func(tree *fs.Tree, id string) (any, error)           // sessions show
	Triggers func(*fs.Tree) (any, error)                           // triggers
	Audit    func(context.Context, *fs.Tree) (audit.Report, error) // audit
}

// A Server serves one tree. It caches what it computed until Changed tells it that a document
// changed.
type Server struct {
	Options
	news news

	ledger        kept[decided]
	condensations kept[condensed]
	threads       kept[discussed]
	channels      kept[[]channel]
	projects      kept[projected]
	handoffs      kept[handed]
	logs          kept[logged]
	audited       kept[audit.Report]

	mu      sync.Mutex
	tickets map[string]bool
}

// New returns a Server.
func New(o Options) *Server {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Report == nil {
		o.Report = func(tree *fs.Tree) (health.Report, error) { return health.Look(tree, o.Now()) }
	}
	s := &Server{Options: o, tickets: map[string]bool{}}
	s.news.begin()
	return s
}

// Address returns the address of the page with the token.
func (s *Server) Address() string {
	return "http://" + s.Hosts[0] + "/?" + url.Values{"token": {s.Token}}.Encode()
}

// Ticket returns an address that redirects to Address once. It is meant for the command line of a
// browser, which other users of this machine can read.
func (s *Server) Ticket(random io.Reader) (string, error) {
	ticket, err := NewToken(random)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	s.tickets[ticket] = true
	s.mu.Unlock()
	return "http://" + s.Hosts[0] + "/?" + url.Values{"ticket": {ticket}}.Encode(), nil
}

// Changed reports the names of documents that changed; all means that any may have changed. The
// page is notified.
func (s *Server) Changed(names []string, all bool) {
	topics := map[string]bool{}
	if all {
		for _, topic := range everything {
			topics[topic] = true
		}
	}
	for _, name := range names {
		for _, topic := range topicsOf(name) {
			topics[topic] = true
		}
	}
	s.news.tell(topics)
}

// warm computes the slowest values in advance.
func (s *Server) warm() {
	_, _ = s.decided() // errors are reported when the value is requested
	_, _ = s.condensed()
}

const (
	answerWithin = 30 * time.Second // time for a client to read an answer
	bodyWithin   = time.Second      // time to send a body, which is not read
)

// limit sets the deadlines of a connection for a request. Requests need no body. A request with one
// is answered without reading it, and its connection is closed.
func limit(w http.ResponseWriter, r *http.Request) {
	now, connection := time.Now(), http.NewResponseController(w)
	_ = connection.SetWriteDeadline(now.Add(answerWithin)) // some connections have no deadlines
	if r.ContentLength != 0 {
		w.Header().Set("Connection", "close")
		_ = connection.SetReadDeadline(now.Add(bodyWithin))
	}
}

// Serve answers until ctx ends or a listener fails. It closes the listeners. When it returns,
// nothing reads the tree any longer.
func (s *Server) Serve(ctx context.Context, listeners ...net.Listener) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var busy sync.WaitGroup
	busy.Go(s.warm)
	handler := s.Handler()
	server := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			busy.Add(1)
			defer busy.Done()
			limit(w, r)
			handler.ServeHTTP(w, r)
		}),
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          log.New(io.Discard, "", 0), // errors of connections are not logged
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	ended := make(chan error, len(listeners))
	for _, l := range listeners {
		go func() { ended <- server.Serve(l) }()
	}
	var failed error
	waiting := len(listeners)
	select {
	case <-ctx.Done():
	case failed = <-ended:
		waiting--
	}
	stop() // ends streams of events
	patience, done := context.WithTimeout(context.Background(), time.Second)
	defer done()
	if server.Shutdown(patience) != nil {
		server.Close()
	}
	for range waiting {
		<-ended
	}
	busy.Wait() // Close does not wait
	if errors.Is(failed, http.ErrServerClosed) {
		return nil
	}
	return failed
}
