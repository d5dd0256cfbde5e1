package lsp

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/validate"
)

// A project is a tree and what is known about it.
type project struct {
	root string // the project directory, with a slash at its end

	// The server's mu guards the rest.
	running bool                          // a goroutine checks the tree
	edited  map[string]bool               // the URIs of documents to check
	due     bool                          // the tree is to be checked
	changed int                           // counts changes
	across  map[string][]validate.Finding // by name: findings of the last check of the tree that a document alone does not have
	things  things
	shown   map[string][]diagnostic // by name: what was published last, unless it was nothing
}

// project returns the project of a root. The caller holds mu.
func (s *server) project(root string) *project {
	p := s.projects[root]
	if p == nil {
		p = &project{root: root, edited: map[string]bool{}, across: map[string][]validate.Finding{}, shown: map[string][]diagnostic{}}
		s.projects[root] = p
	}
	return p
}

// changed has the open document uri checked, if it is not "", and the tree at root after it.
func (s *server) changed(root, uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.project(root)
	if uri != "" {
		p.edited[uri] = true
	}
	p.due = true
	p.changed++
	p.things.stale = true
	if !p.running && s.phase == initialized {
		p.running = true
		s.running.Go(func() { s.check(p) })
	}
}

// check checks documents and the tree until nothing is left to check. A document is checked after
// a pause without changes. The tree is checked after a longer one if that takes long.
func (s *server) check(p *project) {
	var took time.Duration
	for s.lifetime.Err() == nil {
		if !s.quiet(p, s.Pause) {
			continue
		}
		for _, uri := range s.takeEdited(p) {
			s.checkDocument(p, uri)
		}
		if !s.quiet(p, min(took, 10*time.Second)) {
			continue
		}
		if !s.takeDue(p) {
			return
		}
		start := time.Now()
		s.checkTree(p)
		took = time.Since(start)
	}
}

// quiet reports whether a tree does not change for a while.
func (s *server) quiet(p *project, pause time.Duration) bool {
	s.mu.Lock()
	before := p.changed
	s.mu.Unlock()
	select {
	case <-s.lifetime.Done():
		return false
	case <-time.After(pause):
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return p.changed == before
}

// takeDue reports whether the tree is to be checked. If nothing is to be checked, the goroutine that
// asks ends.
func (s *server) takeDue(p *project) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	due := p.due
	p.due = false
	p.running = due || len(p.edited) > 0
	return p.running
}

// takeEdited returns the documents to check, sorted.
func (s *server) takeEdited(p *project) (uris []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for uri := range p.edited {
		uris = append(uris, uri)
	}
	clear(p.edited)
	slices.Sort(uris)
	return uris
}

// checkDocument publishes the findings of an open document by itself, and those that the last check
// of the tree had about it.
func (s *server) checkDocument(p *project, uri string) {
	defer s.guard("check of a document", func(error) {})
	d := s.find(uri)
	if d == nil {
		return
	}
	if len(d.src) > maxDocument {
		s.publish(p, d, []diagnostic{{Severity: severityInformation, Source: source,
			Message: fmt.Sprintf("the document has more than %d MiB and is not checked while it is open; 'forgemind validate' checks it", maxDocument>>20)}})
		return
	}
	o, err := s.overlay(p.root)
	if err != nil {
		s.publish(p, d, diagnosticsOf(d, validate.Bytes(d.name, d.src, validate.Options{})))
		return
	}
	defer o.Close()
	if validate.Foreign(o) {
		s.publish(p, d, nil)
		return
	}
	found := validate.In(o, d.name, d.src)
	s.mu.Lock()
	found = append(found, p.across[d.name]...)
	s.mu.Unlock()
	s.publish(p, d, diagnosticsOf(d, found))
}

// checkTree publishes the findings of all documents of a tree.
func (s *server) checkTree(p *project) {
	defer s.guard("check of a tree", func(error) {})
	o, err := s.overlay(p.root)
	if err != nil {
		return // checkDocument checks documents of a tree that does not exist yet
	}
	defer o.Close()
	report, err := engine.Validate(o, validate.Options{})
	if err != nil {
		s.log.Warn(fmt.Sprintf("%s: the tree cannot be checked: %v", p.root, err))
		return
	}
	byName := map[string][]validate.Finding{}
	for _, f := range report.Findings {
		byName[f.File] = append(byName[f.File], f)
	}
	s.mu.Lock()
	clear(p.across)
	shown := slices.Collect(maps.Keys(p.shown))
	s.mu.Unlock()
	for name, d := range o.open {
		alone := validate.In(o, name, d.src)
		across := slices.DeleteFunc(slices.Clone(byName[name]), func(f validate.Finding) bool { return slices.Contains(alone, f) })
		s.mu.Lock()
		p.across[name] = across
		s.mu.Unlock()
		s.publish(p, d, diagnosticsOf(d, byName[name]))
	}
	for name, found := range byName {
		if o.open[name] == nil {
			src, _ := o.Read(name)
			d := &document{root: p.root, name: name, content: newContent(src, s.utf8)}
			s.publish(p, d, diagnosticsOf(d, found))
		}
	}
	for _, name := range shown {
		if o.open[name] == nil && byName[name] == nil {
			s.publish(p, &document{root: p.root, name: name}, nil)
		}
	}
}

// publish shows diagnostics of a document, unless its text is not the current one any more.
// A document without a URI is not open.
func (s *server) publish(p *project, d *document, list []diagnostic) {
	uri := d.uri
	if uri == "" {
		uri = s.uriOf(d.root, d.name)
	}
	params := publishParams{URI: uri, Diagnostics: append([]diagnostic{}, list...)}
	s.mu.Lock()
	defer s.mu.Unlock()
	current := s.open[uri]
	if d.uri != "" && current != d || d.uri == "" && current != nil {
		return
	}
	switch {
	case current != nil:
		params.Version = &d.version
	case len(list) == 0 && p.shown[d.name] == nil, reflect.DeepEqual(list, p.shown[d.name]):
		return // the editor knows
	}
	if p.shown[d.name] = list; len(list) == 0 {
		delete(p.shown, d.name)
	}
	if err := s.rpc.Notify(context.Background(), "textDocument/publishDiagnostics", params); err != nil && s.lifetime.Err() == nil {
		s.log.Warn(fmt.Sprintf("show findings: %v", err))
	}
}
