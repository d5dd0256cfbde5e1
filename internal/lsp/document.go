package lsp

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/creachadair/jrpc2"

	"github.com/forgemind/forgemind/fs"
)

// A document is an open document of a tree. It does not change: an edit makes another one.
type document struct {
	uri     string
	root    string // the project directory
	name    string // in the tree
	version int
	*content
}

// maxDocument is the size of the largest document that is checked while it is open, in bytes.
const maxDocument = 16 << 20

// placeOf returns the tree of a URI, which need not exist, and the name of the document there. It
// returns false if the URI is none of a document.
func placeOf(uri string) (root, name string, ok bool) {
	at, ok := pathOf(uri)
	if !ok {
		return "", "", false
	}
	parts := strings.Split(at, "/")
	for i := len(parts) - 2; i > 0; i-- { // a name in `.forgemind/` may have the other folder's name
		if parts[i] == fs.Forgemind || parts[i] == fs.Quaid {
			root, name = strings.Join(parts[:i], "/"), strings.Join(parts[i:], "/")
			ok = !fs.IsLocal(name) && filepath.ToSlash(filepath.Clean(at)) == at
			return filepath.FromSlash(root + "/"), name, ok
		}
	}
	return "", "", false
}

// pathOf returns the absolute path of a URI, with slashes.
func pathOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || u.Path == "" || strings.ContainsRune(u.Path, 0) {
		return "", false
	}
	if at := u.Path[1:]; filepath.VolumeName(filepath.FromSlash(at)) != "" { // "/c:/…" on Windows
		return at, true
	}
	return u.Path, filepath.IsAbs(filepath.FromSlash(u.Path))
}

// uriOf returns the URI of a file of a tree: as the editor wrote it if the document is open.
func (s *server) uriOf(root, name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for uri, d := range s.open {
		if d.root == root && d.name == name {
			return uri
		}
	}
	return fileURI(filepath.ToSlash(root) + name)
}

// fileURI returns the URI of an absolute path with slashes.
func fileURI(at string) string {
	if !strings.HasPrefix(at, "/") {
		at = "/" + at
	}
	return (&url.URL{Scheme: "file", Path: at}).String()
}

// find returns an open document, nil if there is none.
func (s *server) find(uri string) *document {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[uri]
}

// overlays returns the texts of the open documents of a tree by name.
func (s *server) overlays(root string) map[string]*document {
	s.mu.Lock()
	defer s.mu.Unlock()
	docs := map[string]*document{}
	for _, d := range s.open {
		if d.root == root && len(d.src) <= maxDocument {
			docs[d.name] = d
		}
	}
	return docs
}

func (s *server) didOpen(_ context.Context, p documentParams) (any, error) {
	doc := p.TextDocument
	root, name, ok := placeOf(doc.URI)
	if !ok {
		return nil, nil
	}
	s.replace(&document{doc.URI, root, name, doc.Version, newContent([]byte(doc.Text), s.utf8)})
	return nil, nil
}

func (s *server) didChange(_ context.Context, p documentParams) (any, error) {
	old := s.find(p.TextDocument.URI)
	if old == nil {
		return nil, nil
	}
	text := old.content
	for _, change := range p.ContentChanges {
		if len(text.src)+len(change.Text) > maxMessage {
			return nil, jrpc2.Errorf(jrpc2.InvalidParams, "%s", fmt.Sprintf("the document would have more than %d bytes", maxMessage))
		}
		text = text.edited(change)
	}
	s.replace(&document{old.uri, old.root, old.name, p.TextDocument.Version, text})
	return nil, nil
}

// replace makes d the current text of its document, and has it checked.
func (s *server) replace(d *document) {
	s.mu.Lock()
	s.open[d.uri] = d
	s.mu.Unlock()
	s.changed(d.root, d.uri)
}

func (s *server) didSave(_ context.Context, p documentParams) (any, error) {
	if root, _, ok := placeOf(p.TextDocument.URI); ok {
		s.changed(root, "")
	}
	return nil, nil
}

func (s *server) didClose(_ context.Context, p documentParams) (any, error) {
	d := s.find(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	s.mu.Lock()
	delete(s.open, d.uri)
	s.mu.Unlock()
	s.changed(d.root, "")
	return nil, nil
}

// filesChanged has the trees of changed files checked.
func (s *server) filesChanged(_ context.Context, p struct {
	Changes []folder `json:"changes"`
}) (any, error) {
	for _, c := range p.Changes {
		if root, _, ok := placeOf(c.URI); ok {
			s.changed(root, "")
		}
	}
	return nil, nil
}

func (s *server) foldersChanged(_ context.Context, p struct {
	Event struct {
		Added []folder `json:"added"`
	} `json:"event"`
}) (any, error) {
	s.checkFolders(p.Event.Added)
	return nil, nil
}

// checkFolders has the trees of folders checked.
func (s *server) checkFolders(folders []folder) {
	for _, f := range folders {
		at, ok := pathOf(f.URI)
		if !ok {
			continue
		}
		if root, err := fs.Find(filepath.FromSlash(at)); err == nil {
			s.changed(strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator), "")
		}
	}
}
