package lsp

import (
	"bytes"
	"context"
	"path"
	"slices"
)

// mostPlaces is the largest number of places in an answer.
const mostPlaces = 2000

// definition returns the place of the record that an id names, or the file at a path.
func (s *server) definition(ctx context.Context, p documentParams) (any, error) {
	d := s.find(p.TextDocument.URI)
	if d == nil || len(d.src) > maxDocument {
		return nil, nil
	}
	offset := d.offset(p.Position)
	o, err := s.overlay(d.root)
	if err != nil {
		return nil, nil
	}
	defer o.Close()
	if w, ok := d.wordAt(offset); ok {
		if t := s.thingsOf(d.root).byID[w.id]; t != nil && t.File != "" {
			return s.placeIn(o, t.File, t.ID), ctx.Err()
		}
	}
	c, ok := d.cursorAt(offset)
	if !ok || !c.value || c.start == c.end || d.src[c.start] != '"' {
		return nil, nil
	}
	name := path.Clean(unquote(d.src[c.start:c.end]))
	if fi, err := o.Look(name); err != nil || !fi.Mode().IsRegular() {
		return nil, nil
	}
	return location{s.uriOf(d.root, name), span{}}, ctx.Err()
}

// placeIn returns the place of the first word id in a document, its start if it does not have the word.
func (s *server) placeIn(o overlay, name, id string) location {
	at := location{URI: s.uriOf(o.root, name)}
	src, err := o.Read(name)
	if err != nil || len(src) > maxDocument {
		return at
	}
	for w := range words(src) {
		if w.id == id {
			at.Range = newContent(src, s.utf8).span(w.start, w.end)
			break
		}
	}
	return at
}

// references returns the places where documents of the tree name an id.
func (s *server) references(ctx context.Context, p documentParams) (any, error) {
	found := []location{}
	d := s.find(p.TextDocument.URI)
	if d == nil || len(d.src) > maxDocument {
		return found, nil
	}
	w, ok := d.wordAt(d.offset(p.Position))
	t := s.thingsOf(d.root).byID[w.id]
	if !ok || t == nil {
		return found, nil
	}
	o, err := s.overlay(d.root)
	if err != nil {
		return found, nil
	}
	defer o.Close()
	for name, err := range o.Names(".") {
		if ctx.Err() != nil || len(found) > mostPlaces {
			break
		}
		if err == nil {
			found = append(found, s.placesIn(o, name, w.id, p.Context.IncludeDeclaration || name != t.File)...)
		}
	}
	return found[:min(len(found), mostPlaces)], ctx.Err()
}

// placesIn returns the places of an id in a document. Without the declaration the first one is left
// out.
func (s *server) placesIn(o overlay, name, id string, declaration bool) (found []location) {
	if fi, err := o.Look(name); err == nil && fi.Size() > maxDocument {
		return nil
	}
	src, err := o.Read(name)
	if err != nil || !bytes.Contains(src, []byte(id)) {
		return nil
	}
	text, uri := newContent(src, s.utf8), s.uriOf(o.root, name)
	for w := range words(src) {
		if w.id == id && len(found) <= mostPlaces {
			found = append(found, location{uri, text.span(w.start, w.end)})
		}
	}
	if !declaration && len(found) > 0 {
		return slices.Delete(found, 0, 1)
	}
	return found
}

// inlayHints marks ids of superseded decisions.
func (s *server) inlayHints(ctx context.Context, p documentParams) (any, error) {
	hints := []inlayHint{}
	d := s.find(p.TextDocument.URI)
	if d == nil || len(d.src) > maxDocument {
		return hints, nil
	}
	known := s.thingsOf(d.root)
	start := d.offset(position{Line: p.Range.Start.Line})
	end := d.offset(p.Range.End)
	for w := range words(d.src[start:max(start, end)]) {
		if len(hints) == mostPlaces || ctx.Err() != nil {
			break
		}
		t := known.byID[w.id]
		if t == nil || t.SupersededBy == "" {
			continue
		}
		label := "superseded by " + t.SupersededBy
		if by := known.byID[t.SupersededBy]; by != nil {
			if by.File == d.name {
				continue // the document is the one that supersedes it
			}
			label += ": " + titleOf(by)
		}
		hints = append(hints, inlayHint{d.position(start + w.end), label, true})
	}
	return hints, ctx.Err()
}
