package mcp

import (
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/schema"
)

const (
	scheme       = "forgemind://"
	mostListed   = 20      // of each kind
	longestID    = 200     // bytes
	maxResource  = 100_000 // characters
	markdownType = "text/markdown"
	jsonType     = "application/json"
)

// A resource is a document, or a kind of documents.
type resource struct {
	path, title, about, mime string // path ends in a slash if an id follows
	// list returns the existing ids, the most useful first; nil for a single document.
	list func(*fs.Tree) ([]string, error)
	read func(ctx context.Context, s *server, tree *fs.Tree, id string) (string, error)
}

// allResources returns the documents that can be read.
func allResources() []resource {
	return []resource{
		{"brief", "Brief", "One screen to begin a session with.", markdownType, nil,
			func(ctx context.Context, s *server, _ *fs.Tree, _ string) (string, error) {
				return s.briefText(ctx, query.BriefQuery{})
			}},
		{"state", "State", "The project's State: layer, clarity, context window, recent decisions, open questions.", jsonType, nil, readState},
		{"decisions", "Decisions that hold", "Every decision that holds, the newest first.", markdownType, nil, readDecisions},
		{"decision/", "Decision", "One decision of the ledger, by its id.", jsonType, decisionIDs, readDecision},
		{"project/", "CONTEXT.md of a project", "The living document of a project, by the name of its folder.", markdownType, projectIDs, readProject},
		{"condensation/", "Condensation", "The condensation of a discussion, by the name of its file.", markdownType, condensationIDs, readCondensation},
		{"session/", "Summary of a session", "The summary of a conversation, by its id.", markdownType, sessionIDs, readSession},
		{"note/", "Note", "An agent's notes, by the name of their file.", markdownType, noteIDs, readNote},
	}
}

// addResources offers the documents that always exist, and the kinds of the others.
func (s *server) addResources(server *sdk.Server) {
	s.resources = allResources()
	for _, r := range s.resources {
		if r.list == nil {
			server.AddResource(&sdk.Resource{URI: scheme + r.path, Name: r.path, Title: r.title, Description: r.about, MIMEType: r.mime}, s.readResource)
			continue
		}
		server.AddResourceTemplate(&sdk.ResourceTemplate{
			URITemplate: scheme + r.path + "{id}", Name: strings.TrimSuffix(r.path, "/"), Title: r.title, Description: r.about, MIMEType: r.mime,
		}, s.readResource)
	}
}

// listResources lists the existing documents: of each kind the first few. Without a tree
// there are none.
func (s *server) listResources(context.Context) (sdk.Result, error) {
	listed := &sdk.ListResourcesResult{Resources: []*sdk.Resource{}, Cacheable: sdk.Cacheable{CacheScope: "private"}}
	tree, err := s.open()
	if err == nil {
		defer tree.Close()
	}
	for _, r := range s.resources {
		if r.list == nil {
			listed.Resources = append(listed.Resources, &sdk.Resource{URI: scheme + r.path, Name: r.path, Title: r.title, Description: r.about, MIMEType: r.mime})
			continue
		}
		if err != nil {
			continue
		}
		ids, fault := r.list(tree)
		if fault != nil {
			s.log.Warn("some resources are not listed", "kind", r.path, "why", clip(fault.Error(), 300))
			continue
		}
		ids = slices.DeleteFunc(ids, func(id string) bool { return !schema.ValidID(id) || len(id) > longestID })
		for _, id := range ids[:min(len(ids), mostListed)] {
			listed.Resources = append(listed.Resources, &sdk.Resource{URI: scheme + r.path + id, Name: r.path + id, MIMEType: r.mime})
		}
	}
	return listed, nil
}

// find returns the document that a URI names. Part of a URI is never used as a path.
func (s *server) find(uri string) (r resource, id string, ok bool) {
	rest, ok := strings.CutPrefix(uri, scheme)
	if !ok {
		return resource{}, "", false
	}
	for _, r := range s.resources {
		switch id, ok := strings.CutPrefix(rest, r.path); {
		case ok && r.list == nil && id == "", ok && r.list != nil && schema.ValidID(id) && len(id) <= longestID:
			return r, id, true
		}
	}
	return resource{}, "", false
}

// readResource reads a document.
func (s *server) readResource(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := req.Params.URI
	r, id, ok := s.find(uri)
	if !ok {
		return nil, notThere(uri)
	}
	text, err := reading(s, func(tree *fs.Tree) (string, error) {
		text, err := r.read(ctx, s, tree, id)
		if r.mime == markdownType && err == nil {
			text = engine.StandingOf(tree).Mark(text)
		}
		return text, err
	})
	switch {
	case errors.Is(err, iofs.ErrNotExist):
		return nil, notThere(uri)
	case err != nil:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: clip(advised(err), 1000)}
	case r.mime == jsonType && utf8.RuneCountInString(text) > maxResource:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("%s has more than %d characters; read it from its file", quoted(uri), maxResource)}
	}
	if r.mime == jsonType {
		if safe, err := sanitize.JSON([]byte(text)); err == nil { // text that is not JSON is sanitized as text
			text = string(safe)
		}
	}
	text = shorten(text, maxResource, "its file has all of it")
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: r.mime, Text: text}}}, nil
}

// notThere returns the error for a resource that does not exist.
func notThere(uri string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "there is no resource " + quoted(uri) + "; resources/list and resources/templates/list say what there is"}
}
