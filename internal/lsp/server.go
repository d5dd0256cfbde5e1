package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/creachadair/jrpc2"
)

// Options holds the settings of a server.
type Options struct {
	In  io.Reader
	Out io.Writer // messages of the protocol only
	Log io.Writer // messages for people

	Version string           // of the program
	Now     func() time.Time // the clock that dates in documents are compared with
	// Explain returns the description of a setting: a knob, or a member of config.json by its
	// path with dots.
	Explain func(setting string) (string, bool)
	// Pause is the time without a change after which documents are checked. 0 is the default.
	Pause time.Duration
}

// defaultPause is the time without a change after which documents are checked.
const defaultPause = 150 * time.Millisecond

// atOnce is the largest number of requests that are processed in parallel.
const atOnce = 8

// patience is the time that requests in progress and answers have when the connection ends.
const patience = time.Second

// Codes of errors of the protocol.
const (
	notInitialized   jrpc2.Code = -32002
	requestCancelled jrpc2.Code = -32800
)

// ErrNoShutdown is the error if the editor ended the connection without the request to shut
// down.
var ErrNoShutdown = errors.New("the editor ended the connection without a request to shut down")

// A server holds the state of one call of Serve.
type server struct {
	Options
	log    *slog.Logger
	rpc    *jrpc2.Server
	client initializeParams // set before other requests are admitted
	utf8   bool             // columns count bytes

	table    map[string]jrpc2.Handler
	calls    sync.WaitGroup // requests in progress
	mu       sync.Mutex
	phase    phase
	abrupt   bool                 // the editor asked to exit before it asked to shut down
	open     map[string]*document // by URI
	projects map[string]*project  // by root
	running  sync.WaitGroup       // checks
	lifetime context.Context      // of the checks
	schemas  map[string]*schemaDoc
}

// A phase is a part of the life of a connection.
type phase int

const (
	fresh phase = iota
	initialized
	shutDown
)

// Serve answers the editor on o.In and o.Out until it asks to exit, or o.In or ctx ends. The error
// is ErrNoShutdown if the editor asked to exit before it asked to shut down.
func Serve(ctx context.Context, o Options) error {
	lifetime, end := context.WithCancel(ctx)
	return newServer(lifetime, o).serve(ctx, end)
}

func newServer(lifetime context.Context, o Options) *server {
	if o.Pause == 0 {
		o.Pause = defaultPause
	}
	s := &server{
		Options: o, log: slog.New(slog.NewTextHandler(o.Log, &slog.HandlerOptions{Level: slog.LevelWarn})),
		open: map[string]*document{}, projects: map[string]*project{}, schemas: map[string]*schemaDoc{}, lifetime: lifetime,
	}
	s.table = s.handlers()
	s.rpc = jrpc2.NewServer(s, &jrpc2.ServerOptions{
		AllowPush: true, DisableBuiltin: true, Concurrency: atOnce,
		NewContext: func() context.Context { return lifetime },
	})
	return s
}

// serve serves the editor. It calls end at the end of the connection.
func (s *server) serve(ctx context.Context, end func()) error {
	w := newWire(s.In, s.Out)
	defer w.out.Close()
	s.rpc.Start(w)
	stop := context.AfterFunc(ctx, s.rpc.Stop)
	defer stop()
	status := s.rpc.WaitStatus()
	end()
	s.running.Wait()
	w.out.flush(patience)
	switch {
	case status.Err != nil && ctx.Err() == nil:
		return status.Err
	case s.abrupt && ctx.Err() == nil:
		return ErrNoShutdown
	}
	return nil
}

// Assign implements jrpc2.Assigner. It is called in the order in which requests arrive, while their
// handlers run in parallel.
func (s *server) Assign(ctx context.Context, method string) jrpc2.Handler {
	h, known := s.table[method]
	if method == "exit" || method == endOfInput {
		return h
	}
	err := s.admit(jrpc2.InboundRequest(ctx), method)
	switch {
	case err != nil:
		h = func(context.Context, *jrpc2.Request) (any, error) { return nil, err }
	case !known && strings.HasPrefix(method, "$/"): // the protocol lets servers ignore such notifications
		h = func(context.Context, *jrpc2.Request) (any, error) { return nil, jrpc2.MethodNotFound.Err() }
	case !known:
		return nil
	}
	s.calls.Add(1)
	return func(ctx context.Context, r *jrpc2.Request) (any, error) {
		defer s.calls.Done()
		return h(ctx, r)
	}
}

// admit moves the connection to the phase that a request begins. It returns an error for a request
// that the protocol does not allow now.
func (s *server) admit(r *jrpc2.Request, method string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.phase == fresh && method == "initialize":
		s.phase = initialized
		_ = r.UnmarshalParams(&s.client) // the handler returns the error
		s.utf8 = slices.Contains(s.client.Capabilities.General.PositionEncodings, "utf-8")
	case s.phase == fresh:
		return jrpc2.Errorf(notInitialized, "%s: the server was not initialized", method)
	case s.phase == shutDown:
		return jrpc2.Errorf(jrpc2.InvalidRequest, "%s: the server was shut down", method)
	case method == "initialize":
		return jrpc2.Errorf(jrpc2.InvalidRequest, "the server was initialized before")
	case method == "shutdown":
		s.phase = shutDown
	}
	return nil
}

// exit ends the connection after the requests in progress, or after a while.
func (s *server) exit(_ context.Context, r *jrpc2.Request) (any, error) {
	answered := make(chan struct{})
	go func() {
		s.calls.Wait()
		close(answered)
	}()
	select {
	case <-answered:
	case <-time.After(patience):
	}
	s.mu.Lock()
	s.abrupt = s.abrupt || r.Method() == "exit" && s.phase != shutDown
	s.mu.Unlock()
	s.rpc.Stop()
	return nil, nil
}

// handlers returns the handlers by method.
func (s *server) handlers() map[string]jrpc2.Handler {
	return map[string]jrpc2.Handler{
		"initialize":      handle(s, s.initialize),
		"initialized":     handle(s, s.watchFiles),
		"shutdown":        func(context.Context, *jrpc2.Request) (any, error) { return nil, nil },
		"exit":            s.exit,
		endOfInput:        s.exit,
		"$/cancelRequest": func(_ context.Context, r *jrpc2.Request) (any, error) { return nil, s.cancel(r) },

		"workspace/didChangeWatchedFiles":     handle(s, s.filesChanged),
		"workspace/didChangeWorkspaceFolders": handle(s, s.foldersChanged),
		"workspace/symbol":                    handle(s, s.workspaceSymbols),

		"textDocument/didOpen":   handle(s, s.didOpen),
		"textDocument/didChange": handle(s, s.didChange),
		"textDocument/didSave":   handle(s, s.didSave),
		"textDocument/didClose":  handle(s, s.didClose),

		"textDocument/hover":          handle(s, s.hover),
		"textDocument/completion":     handle(s, s.complete),
		"textDocument/definition":     handle(s, s.definition),
		"textDocument/references":     handle(s, s.references),
		"textDocument/documentSymbol": handle(s, s.documentSymbols),
		"textDocument/codeAction":     handle(s, s.codeActions),
		"textDocument/inlayHint":      handle(s, s.inlayHints),
	}
}

// handle returns a handler that decodes the parameters for f. It turns a panic into an error of one
// request.
func handle[P any](s *server, f func(context.Context, P) (any, error)) jrpc2.Handler {
	return func(ctx context.Context, r *jrpc2.Request) (result any, err error) {
		defer s.guard(r.Method(), func(fault error) { result, err = nil, fault })
		var params P
		if r.HasParams() {
			if err := json.Unmarshal([]byte(r.ParamString()), &params); err != nil {
				return nil, jrpc2.Errorf(jrpc2.InvalidParams, "%s: the parameters cannot be read: %v", r.Method(), err)
			}
		}
		if result, err = f(ctx, params); err == nil && ctx.Err() != nil {
			err = ctx.Err()
		}
		if errors.Is(err, context.Canceled) {
			err = jrpc2.Errorf(requestCancelled, "the request was canceled")
		}
		return result, err
	}
}

// guard is deferred. It calls failed with the error for a panic.
func (s *server) guard(what string, failed func(error)) {
	if fault := recover(); fault != nil {
		s.log.Error("a fault in forgemind itself", "method", what, "fault", fault)
		failed(jrpc2.Errorf(jrpc2.InternalError, "a fault in forgemind itself; please report it with what the server wrote to its standard error"))
	}
}

// none are parameters that are not used.
type none struct{}

// cancel cancels a request.
func (s *server) cancel(r *jrpc2.Request) error {
	var params struct {
		ID json.RawMessage `json:"id"`
	}
	if err := r.UnmarshalParams(&params); err != nil {
		return err
	}
	s.rpc.CancelRequest(string(params.ID))
	return nil
}

// initialize returns what the server can do. The parameters were taken by admit.
func (s *server) initialize(context.Context, initializeParams) (any, error) {
	encoding := "utf-16"
	if s.utf8 {
		encoding = "utf-8"
	}
	type object = map[string]any
	return object{
		"serverInfo": object{"name": "forgemind", "version": s.Version},
		"capabilities": object{
			"positionEncoding":        encoding,
			"textDocumentSync":        object{"openClose": true, "change": 2, "save": true}, // 2: incremental
			"hoverProvider":           true,
			"completionProvider":      object{"triggerCharacters": []string{`"`, ":", "/", "-"}},
			"definitionProvider":      true,
			"referencesProvider":      true,
			"documentSymbolProvider":  true,
			"workspaceSymbolProvider": true,
			"codeActionProvider":      object{"codeActionKinds": []string{quickFix, fixAll}},
			"inlayHintProvider":       true,
			"workspace":               object{"workspaceFolders": object{"supported": true, "changeNotifications": true}},
		},
	}, nil
}

// watchFiles checks the trees of the editor's folders and asks to be told of changed files.
func (s *server) watchFiles(ctx context.Context, _ none) (any, error) {
	folders := s.client.WorkspaceFolders
	if len(folders) == 0 && s.client.RootURI != "" {
		folders = []folder{{s.client.RootURI}}
	}
	s.checkFolders(folders)
	if !s.client.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		return nil, nil
	}
	type object = map[string]any
	watchers := []object{{"globPattern": "**/.forgemind/**"}, {"globPattern": "**/.quaid/**"}}
	params := object{"registrations": []object{{
		"id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": object{"watchers": watchers},
	}}}
	s.running.Go(func() {
		if _, err := s.rpc.Callback(s.lifetime, "client/registerCapability", params); err != nil && s.lifetime.Err() == nil {
			s.log.Warn(fmt.Sprintf("the editor does not tell of changed files: %v", err))
		}
	})
	return nil, ctx.Err()
}
