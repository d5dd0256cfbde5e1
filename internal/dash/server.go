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

// Options of a Server.
type Options struct {
	Tree  *fs.Tree
	Token string   // see NewToken
	Hosts []string // host:port, as requests name it; see Hosts
	Now   func() time.Time
	Sources
}

// Sources are what commands print with --format json, so that the page and they
// say the same. One that is nil is not there to be shown, but for Report.
type Sources struct {
	Report   func(*fs.Tree) (health.Report, error)                 // status; nil is health.Look
	Session  func(tree *fs.Tree, id string) (any, error)           // sessions show
	Triggers func(*fs.Tree) (any, error)                           // triggers: the list
	Audit    func(context.Context, *fs.Tree) (audit.Report, error) // audit
}

// A Server serves one tree. What it worked out it keeps until Changed tells it
// that a document is another one.
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
	holds         kept[holding]

	mu      sync.Mutex
	tickets map[string]bool
}

// New makes a Server.
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

// Address is where the page is, with the token.
func (s *Server) Address() string {
	return "http://" + s.Hosts[0] + "/?" + url.Values{"token": {s.Token}}.Encode()
}

// Ticket is an address that leads to Address once: for the command line of a
// program, which others on this machine can read.
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

// Changed says which documents are other ones now; all means any may be. The
// page is told.
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

// warm works out what takes longest, so that the first who asks need not wait.
func (s *Server) warm() {
	_, _ = s.decided() // what is wrong is told to those who ask
	_, _ = s.condensed()
}

const (
	answerWithin = 30 * time.Second // for a client to read an answer
	bodyWithin   = time.Second      // and to send a body, which nobody reads
)

// limit sets the deadlines of a connection for a request. No request needs a body: one
// that has a body is answered without it, and its connection is closed.
func limit(w http.ResponseWriter, r *http.Request) {
	now, connection := time.Now(), http.NewResponseController(w)
	_ = connection.SetWriteDeadline(now.Add(answerWithin)) // not all connections have deadlines
	if r.ContentLength != 0 {
		w.Header().Set("Connection", "close")
		_ = connection.SetReadDeadline(now.Add(bodyWithin))
	}
}

// Serve answers until ctx ends, or a listener fails. It closes the listeners, and
// nothing looks at the tree any more when it returns.
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
		ErrorLog:          log.New(io.Discard, "", 0), // a browser that goes away is no news
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
	stop() // streams of events end
	patience, done := context.WithTimeout(context.Background(), time.Second)
	defer done()
	if server.Shutdown(patience) != nil {
		server.Close()
	}
	for range waiting {
		<-ended
	}
	busy.Wait() // Close waits for nobody
	if errors.Is(failed, http.ErrServerClosed) {
		return nil
	}
	return failed
}
