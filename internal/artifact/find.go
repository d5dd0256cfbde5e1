package artifact

import (
	"errors"
	iofs "io/fs"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// maxNames is the largest number of names of a folder that are examined.
const maxNames = 10_000

// A target is the artifact of an id or a path.
type target struct {
	at       int             // index in the roster; its length if the artifact is not listed
	artifact schema.Artifact // with the description from its file
	content  []byte
}

// resolve finds the artifact of an id or a path and reads its file. The error is an *UnknownError,
// an *UnusableError if the artifact or the file exists, or an error of the disk.
func (s *stateArtifacts) resolve(r fs.Reader, id string, l *schema.Loader) (target, error) {
	if t, ok := s.template(id); ok {
		return t, nil
	}
	name := clean(id)
	at := s.byID(id)
	if at < 0 {
		at = s.byPath(name)
	}
	if at >= 0 {
		return s.known(r, at, l)
	}
	var tried []string
	if schema.ValidID(id) && len(id) <= maxName {
		kind := kindByID(id)
		t, looked, err := s.search(r, schema.Artifact{ID: id, Type: kind}, kind, l)
		if err != nil || t.content != nil {
			return t, err
		}
		tried = looked
	}
	if id == "" || tooLong(name) || !iofs.ValidPath(name) && !strings.HasPrefix(name, "..") && !strings.HasPrefix(name, "/") {
		return target{}, &UnknownError{ID: id, Tried: tried}
	}
	content, err := readText(r, name)
	switch {
	case errors.Is(err, iofs.ErrNotExist):
		return target{}, &UnknownError{ID: id, Tried: append(tried, name)}
	case err != nil && isAboutFile(err):
		return target{}, &UnusableError{ID: id, Path: name, Err: err}
	case err != nil:
		return target{}, err
	}
	a := describe(schema.Artifact{ID: s.newID(name, content, l), Path: name, Type: kindInPaths(name, l)}, content)
	return target{len(s.list), a, content}, nil
}

// template finds a template of the program.
func (s *stateArtifacts) template(id string) (target, bool) {
	for layer := range schema.LayerNames() {
		tid, name, text := templates.LayerTemplate(layer)
		if tid != id {
			continue
		}
		at := s.byID(id)
		if at < 0 {
			return target{len(s.list), schema.Artifact{Type: kindTemplate, ID: id, Name: name}, text}, true
		}
		if a := s.list[at]; a.Path == "" {
			return target{at, a, text}, true
		}
	}
	return target{}, false
}

// known reads the file of an artifact in the State.
func (s *stateArtifacts) known(r fs.Reader, at int, l *schema.Loader) (target, error) {
	a := s.list[at]
	if a.Path == "" {
		t, tried, err := s.search(r, a, kindOf(a), l)
		if err == nil && t.content == nil {
			err = &UnusableError{ID: a.ID, Err: &iofs.PathError{Op: "find", Path: strings.Join(tried, ", "), Err: iofs.ErrNotExist}}
		}
		t.at = at
		return t, err
	}
	content, err := readText(r, clean(a.Path))
	if err != nil && isAboutFile(err) {
		err = &UnusableError{ID: a.ID, Path: a.Path, Err: err}
	}
	return target{at, a, content}, err
}

// search looks for the file of an artifact in the loader's paths. Without a file the target has no
// content.
func (s *stateArtifacts) search(r fs.Reader, a schema.Artifact, kind string, l *schema.Loader) (t target, tried []string, err error) {
	for _, pattern := range paths(l) {
		if kind == "" && strings.Contains(pattern, "<type>") || !schema.ValidID(a.ID) {
			continue
		}
		name := clean(fill(pattern, kind, a.ID))
		content, err := readText(r, name)
		switch {
		case errors.Is(err, iofs.ErrNotExist) || errors.Is(err, fs.ErrName):
			tried = append(tried, name)
			continue
		case err != nil && isAboutFile(err):
			return target{}, tried, &UnusableError{ID: a.ID, Path: name, Err: err}
		case err != nil:
			return target{}, tried, err
		}
		a.Path = name
		if content == nil {
			content = []byte{}
		}
		return target{len(s.list), describe(a, content), content}, tried, nil
	}
	return target{}, tried, nil
}

func paths(l *schema.Loader) []string {
	if l != nil && len(l.Paths) > 0 {
		return l.Paths
	}
	return schema.DefaultPaths()
}

func fill(pattern, kind, id string) string {
	return strings.NewReplacer("<type>", kind, "<ID>", id).Replace(pattern)
}

// onDisk returns the files of a kind in the loader's paths: id → path.
func onDisk(r fs.Reader, kind string, l *schema.Loader) map[string]string {
	found := map[string]string{}
	for _, pattern := range paths(l) {
		pattern = clean(strings.ReplaceAll(pattern, "<type>", kind))
		before, _, ok := strings.Cut(pattern, "<ID>")
		base := path.Dir(before + "x")
		if !ok || base == "." || own(base) {
			continue
		}
		seen := 0
		for name, err := range r.Names(base) {
			if seen++; seen > maxNames {
				break
			}
			if err != nil {
				continue
			}
			if id, ok := idIn(pattern, name); ok && found[id] == "" {
				found[id] = name
			}
		}
	}
	return found
}

// idIn returns the part of name that stands for <ID> in pattern.
func idIn(pattern, name string) (string, bool) {
	before, after, ok := strings.Cut(pattern, "<ID>")
	if !ok || !strings.HasPrefix(name, before) || len(name) <= len(before) {
		return "", false
	}
	rest := name[len(before):]
	end := len(rest)
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		end = slash
	}
	if tail, _, _ := strings.Cut(after, "/"); tail != "" {
		if !strings.HasSuffix(rest[:end], tail) {
			return "", false
		}
		end -= len(tail)
	}
	id := rest[:end]
	return id, schema.ValidID(id) && rest == id+strings.ReplaceAll(after, "<ID>", id)
}

// kindInPaths returns the kind of a file by the loader's paths, or "".
func kindInPaths(name string, l *schema.Loader) string {
	_, kind := pathID(name, l)
	return kind
}

// pathID returns the id and the kind of a file by the loader's paths.
func pathID(name string, l *schema.Loader) (id, kind string) {
	for _, pattern := range paths(l) {
		for layer := range schema.LayerNames() {
			for _, kind := range kindsOfLayer(layer) {
				if id, ok := idIn(clean(strings.ReplaceAll(pattern, "<type>", kind)), name); ok {
					if !strings.Contains(pattern, "<type>") {
						kind = kindByID(id)
					}
					return id, kind
				}
			}
		}
	}
	return "", ""
}

// newID returns an id for a file that becomes an artifact. It tries the loader's paths, the front
// matter, the file's name and its path; the last resort is an id derived from the path.
func (s *stateArtifacts) newID(name string, content []byte, l *schema.Loader) string {
	f, _ := readFront(content)
	byPath, _ := pathID(name, l)
	base := path.Base(name)
	stem := strings.TrimSuffix(base, path.Ext(base))
	said, _ := f["id"].(string)
	for _, id := range []string{byPath, said, asID(stem), asID(base), asID(name)} {
		if schema.ValidID(id) && len(id) <= maxName && s.byID(id) < 0 && !strings.HasPrefix(id, "TEMPLATE-") {
			return id
		}
	}
	return schema.DerivedID("FILE-", []byte(name))
}

// asID converts a name to an id.
func asID(name string) string {
	id := strings.Map(func(r rune) rune {
		if letter(r) || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '-'
	}, name)
	return strings.TrimLeft(id, ".-")
}

// suggest adds similar ids to an *UnknownError. It reads whole folders, so it is called only for
// the id that the caller asked for.
func (s *stateArtifacts) suggest(r fs.Reader, err error, l *schema.Loader) error {
	var unknown *UnknownError
	if errors.As(err, &unknown) {
		unknown.Nearest = s.nearest(r, unknown.ID, l)
	}
	return err
}

// nearest returns ids that are similar to id.
func (s *stateArtifacts) nearest(r fs.Reader, id string, l *schema.Loader) []string {
	near := nearby{want: id}
	for _, a := range s.list {
		near.offer(a.ID, a.ID)
		near.offer(a.Path, a.ID)
	}
	kinds := []string{kindByID(id)}
	for _, a := range s.list {
		if kind := kindOf(a); !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	for _, kind := range kinds[:min(len(kinds), 12)] {
		if kind != "" {
			for found := range onDisk(r, kind, l) {
				near.offer(found, found)
			}
		}
	}
	for layer := range schema.LayerNames() {
		tid, _, _ := templates.LayerTemplate(layer)
		near.offer(tid, tid)
	}
	return near.ids()
}
