package mcp

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
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

// Options holds the settings of a server.
type Options struct {
	In  io.Reader // messages, one on each line
	Out io.Writer // answers only
	Log io.Writer // messages for people

	// Root returns the root of the tree. It is called for each request. Its error is sent to the
	// client and should contain a hint.
	Root        func() (string, error)
	AllowWrites bool
	Version     string // version of the program
	Edge        engine.Edge
	// Report returns the report that `status` prints. Nil means health.Look.
	Report func(*fs.Tree) (health.Report, error)
}

// A server holds the state of one call of Serve.
type server struct {
	Options
	tools     []tool // tools that are offered
	withheld  []tool // tools that are not offered without AllowWrites
	log       *slog.Logger
	busy      chan struct{}   // has an element for each request in progress
	lifetime  context.Context // context of the call
	resources []resource
}

// atOnce is the largest number of requests that are processed in parallel.
const atOnce = 4

// Serve answers the client on o.In and o.Out until o.In or ctx ends. Requests that were read before
// are answered.
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
	if err := session.Wait(); err != nil && ctx.Err() == nil { // it waits for requests in progress
		return err
	}
	return nil
}

// build returns the protocol server.
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
		Capabilities: &sdk.ServerCapabilities{ // no list but that of resources changes, and no changes are announced
			Tools: &sdk.ToolCapabilities{}, Prompts: &sdk.PromptCapabilities{}, Resources: &sdk.ResourceCapabilities{},
		},
		SetCacheable: cacheable,
	})
	server.AddReceivingMiddleware(s.guard)
	for _, t := range s.tools {
		server.AddTool(t.offer(), s.handler(t))
	}
	for _, t := range s.withheld { // callable but not listed: the answer tells why it does nothing
		server.AddTool(t.offer(), withheld(t))
	}
	s.addResources(server)
	s.addPrompts(server)
	return server
}

// cacheable sets the time for which the client may cache an answer: an hour for constant answers,
// and nothing for those that depend on the tree.
func cacheable(_ context.Context, req sdk.Request, c *sdk.Cacheable) {
	c.CacheScope, c.TTLMs = "private", 0
	switch req.GetParams().(type) {
	case *sdk.ListToolsParams, *sdk.ListPromptsParams, *sdk.ListResourceTemplatesParams, *sdk.DiscoverParams:
		c.TTLMs = int(time.Hour / time.Millisecond)
	}
}

// guard wraps all handlers. It limits the number of requests in progress, cancels them when the
// server ends, and turns a panic into an error of one request.
func (s *server) guard(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (result sdk.Result, err error) {
		switch method {
		case "tools/list":
			return s.offered(next(ctx, method, req))
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
		case *sdk.ReadResourceParams: // the library has no error for unknown URIs
			if _, _, ok := s.find(params.URI); !ok {
				return nil, notThere(params.URI)
			}
		}
		return next(ctx, method, req)
	}
}

// known returns an error if there is no tool with that name.
func (s *server) known(name string) error {
	var names []string
	for _, t := range s.tools {
		if names = append(names, t.name); t.name == name {
			return nil
		}
	}
	if slices.ContainsFunc(s.withheld, func(t tool) bool { return t.name == name }) {
		return nil // a call returns the reason
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "there is no tool " + quoted(name) + "; " + didYouMean(name, names, "there are "+strings.Join(names, ", "))}
}

// offered removes withheld tools from a list of tools.
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
	root, err := s.Root()
	if err != nil {
		return nil, err
	}
	tree, err := fs.Open(root)
	if err != nil {
		return nil, err
	}
	if validate.Foreign(tree) {
		tree.Close()
		return nil, fmt.Errorf("%s: its schema is another product's; forgemind does not change it, and 'forgemind mcp --tree DIR' names another", fs.State)
	}
	views.AttachBriefly(tree)
	tree.Date = s.Edge.Now
	return tree, nil
}

// edit opens the tree for changes.
func (s *server) edit() (*engine.Tree, error) {
	root, err := s.Root()
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

// clientName returns the name of the client in the form of an agent's name. It becomes the author
// of what is added.
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
