package mcp

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/validate"
)

// Options of a server.
type Options struct {
	In  io.Reader // messages, one a line
	Out io.Writer // answers, and nothing else
	Log io.Writer // for people

	// Root returns where the tree is. It is called for each request. If its error is
	// fs.ErrNoTree, the client's roots are tried. If they have no tree, the client is told
	// the error, which should say what to do.
	Root        func() (string, error)
	AllowWrites bool
	Version     string // of the program
	Edge        engine.Edge
	// CommandsOf returns the slash commands that a client, by the name that it gives itself, has
	// as files, for a project directory, "" for none: it is offered no prompts of them. nil is
	// none.
	CommandsOf func(client, root string) []string
	// Report is what `status` prints; nil is health.Look.
	Report func(*fs.Tree) (health.Report, error)
}

// A server is one run of Serve.
type server struct {
	Options
	tools     []tool // that are offered
	withheld  []tool // that are not, for want of AllowWrites
	log       *slog.Logger
	busy      chan struct{}   // one for each request that is being worked on
	lifetime  context.Context // of the run
	resources []resource
	client    atomic.Pointer[sdk.ServerSession] // nil before its first request
	noRoots   atomic.Bool                       // it did not say where it works
}

// atOnce is how many requests are worked on at the same time.
const atOnce = 4

// Serve answers the client on o.In and o.Out until o.In ends, or ctx does. What
// was asked before the end is answered.
func Serve(ctx context.Context, o Options) error {
	if o.Report == nil {
		o.Report = func(tree *fs.Tree) (health.Report, error) { return health.Look(tree, o.Edge.Now()) }
	}
	lifetime, end := context.WithCancel(ctx)
	defer end()
	s := &server{
		Options: o, busy: make(chan struct{}, atOnce), lifetime: lifetime,
		log: slog.New(slog.NewTextHandler(o.Log, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
	session, err := s.build().Connect(context.WithoutCancel(ctx), &wire{in: o.In, out: o.Out}, nil)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { session.Close() })
	defer stop()
	if err := session.Wait(); err != nil && ctx.Err() == nil { // it waits for what is being worked on
		return err
	}
	return nil
}

// build makes what answers.
func (s *server) build() *sdk.Server {
	for _, t := range allTools() {
		if t.writes && !s.AllowWrites {
			s.withheld = append(s.withheld, t)
			continue
		}
		s.tools = append(s.tools, t)
	}
	instructions := instructions
	if s.AllowWrites {
		instructions += instructionsToWrite
	} else {
		instructions += instructionsToRead
	}
	server := sdk.NewServer(&sdk.Implementation{Name: "forgemind", Title: "forgemind", Version: s.Version}, &sdk.ServerOptions{
		Instructions: instructions,
		Logger:       s.log,
		Capabilities: &sdk.ServerCapabilities{ // none of the lists is announced to change: but for resources none does
			Tools: &sdk.ToolCapabilities{}, Prompts: &sdk.PromptCapabilities{}, Resources: &sdk.ResourceCapabilities{},
		},
		SetCacheable: cacheable,
	})
	server.AddReceivingMiddleware(s.guard)
	for _, t := range s.tools {
		server.AddTool(t.offer(), s.handler(t))
	}
	for _, t := range s.withheld { // known, but not listed: who calls one all the same learns why not
		server.AddTool(t.offer(), withheld(t))
	}
	s.addResources(server)
	s.addPrompts(server)
	return server
}

// cacheable says how long an answer may be kept by the client: what never changes
// in one run for an hour, what the tree says not at all.
func cacheable(_ context.Context, req sdk.Request, c *sdk.Cacheable) {
	c.CacheScope, c.TTLMs = "private", 0
	switch req.GetParams().(type) {
	case *sdk.ListToolsParams, *sdk.ListPromptsParams, *sdk.ListResourceTemplatesParams, *sdk.DiscoverParams:
		c.TTLMs = int(time.Hour / time.Millisecond)
	}
}

// guard stands before every request: it bounds how many are worked on, ends them
// with the server, and keeps a fault of one from ending the others.
func (s *server) guard(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (result sdk.Result, err error) {
		if client, ok := req.GetSession().(*sdk.ServerSession); ok {
			s.client.Store(client)
		}
		switch method {
		case "tools/list":
			return s.offered(next(ctx, method, req))
		case "prompts/list":
			list, err := next(ctx, method, req)
			s.withoutFiles(req, list)
			return list, err
		case "tools/call", "resources/read", "resources/list", "prompts/get":
		default:
			return next(ctx, method, req)
		}
		select {
		case s.busy <- struct{}{}:
			defer func() { <-s.busy }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.lifetime, cancel)()
		defer func() {
			if fault := recover(); fault != nil {
				s.log.Error("a fault in forgemind itself", "method", method, "fault", fault)
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "a fault in forgemind itself; please report it with what the server wrote to its standard error"}
			}
		}()
		switch params := req.GetParams().(type) {
		case *sdk.CallToolParamsRaw:
			if err := s.known(params.Name); err != nil {
				return nil, err
			}
		case *sdk.GetPromptParams:
			if err := knownPrompt(params.Name); err != nil {
				return nil, err
			}
		case *sdk.ListResourcesParams:
			return s.listResources(ctx)
		case *sdk.ReadResourceParams: // the library cannot tell of each URI that it is unknown
			if _, _, ok := s.find(params.URI); !ok {
				return nil, notThere(params.URI)
			}
		}
		return next(ctx, method, req)
	}
}

// known says that there is no tool of that name, where there is none.
func (s *server) known(name string) error {
	var names []string
	for _, t := range s.tools {
		if names = append(names, t.name); t.name == name {
			return nil
		}
	}
	if slices.ContainsFunc(s.withheld, func(t tool) bool { return t.name == name }) {
		return nil // which says why it does nothing
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "there is no tool " + quoted(name) + "; " + didYouMean(name, names, "there are "+strings.Join(names, ", "))}
}

// offered leaves out of a list of tools what is withheld.
func (s *server) offered(list sdk.Result, err error) (sdk.Result, error) {
	if tools, ok := list.(*sdk.ListToolsResult); ok && err == nil {
		tools.Tools = slices.DeleteFunc(tools.Tools, func(offered *sdk.Tool) bool {
			return slices.ContainsFunc(s.withheld, func(t tool) bool { return t.name == offered.Name })
		})
	}
	return list, err
}

// open opens the tree for reading.
func (s *server) open() (*fs.Tree, error) {
	root, err := s.root()
	if err != nil {
		return nil, err
	}
	tree, err := fs.Open(root)
	if err != nil {
		return nil, err
	}
	if validate.Foreign(tree) {
		tree.Close()
		return nil, fmt.Errorf("%s: another product's folder, by its schema; forgemind leaves it alone, and 'forgemind mcp --tree DIR' names another", fs.State)
	}
	views.Attach(tree)
	return tree, nil
}

// edit opens the tree for changing it.
func (s *server) edit() (*engine.Tree, error) {
	root, err := s.root()
	if err != nil {
		return nil, err
	}
	tree, err := engine.Open(root, s.Edge)
	if err == nil {
		tree.Report = func(i fs.Incident) {
			s.log.Warn("a save could not be merged", "name", i.Name, "what", i.What, "kept", i.Kept)
		}
	}
	return tree, err
}

// clientName is what the client calls itself, as the name of an agent: it signs
// what is added.
func clientName(about *sdk.Implementation) string {
	if about == nil {
		return ""
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.", r)):
			return r
		case r == ' ', r == '/':
			return '-'
		}
		return -1
	}, about.Name)
	return strings.Trim(name[:min(len(name), 40)], "-_.")
}
