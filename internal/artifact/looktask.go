package artifact

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

const (
	maxShown = 200 << 10 // bytes of one artifact in a View
	maxTask  = 20        // current artifacts in a View, and as many that are loaded besides
	maxFrom  = 200       // artifacts that are read for links to those in a View
)

// task adds load layer 2: the current artifacts, the other loaded ones, those to which they have
// trace links or which have trace links to them, and related ones. It returns the artifacts that it
// added.
func (v *view) task(r fs.Reader, s *stateArtifacts, e Edge) ([]schema.Artifact, error) {
	var shown []target
	told := 0
	for _, kind := range s.currentKinds() {
		for _, id := range s.current(kind) {
			if kind == "layer" {
				continue
			}
			if told++; told > maxTask { // missing artifacts count, because looking for them takes time
				continue
			}
			found, note, err := s.show(r, id, e)
			if err != nil {
				return nil, err
			}
			if v.put("Current "+kind+": "+id, found, note) {
				shown = append(shown, found)
			}
		}
	}
	if told > maxTask {
		v.add(2, "Other current artifacts", fmt.Sprintf("The project names %d more.\n", told-maxTask))
	}
	if told == 0 {
		v.add(2, "Current idea, module or domain", "The project names none.\n")
	}
	shown, err := v.loaded(r, s, shown, e)
	if err != nil {
		return nil, err
	}
	return v.links(r, s, shown, e)
}

// put adds an artifact with its content and reports true, or adds note, the reason why it has
// none.
func (v *view) put(title string, found target, note string) bool {
	if found.content == nil {
		v.add(2, title, line(note, maxPoint)+"\n")
		return false
	}
	if found.artifact.Name != "" {
		title += ", " + found.artifact.Name
	}
	v.add(2, title, facts(found.artifact, note)+"\n"+fenced(found))
	return true
}

// loaded adds the loaded artifacts that are not among shown, and returns both.
func (v *view) loaded(r fs.Reader, s *stateArtifacts, shown []target, e Edge) ([]target, error) {
	told := 0
	for _, a := range s.list {
		if !a.Loaded || a.ID == "" || slices.ContainsFunc(shown, func(t target) bool { return t.artifact.ID == a.ID }) {
			continue
		}
		if told++; told > maxTask {
			continue
		}
		found, note, err := s.show(r, a.ID, e)
		if err != nil {
			return nil, err
		}
		if v.put("Loaded "+cmp.Or(a.Type, "artifact")+": "+a.ID, found, note) {
			shown = append(shown, found)
		}
	}
	if told > maxTask {
		v.add(2, "Other loaded artifacts", fmt.Sprintf("%d more are loaded.\n", told-maxTask))
	}
	return shown, nil
}

// links adds the links from and to the artifacts that are shown, and returns those.
func (v *view) links(r fs.Reader, s *stateArtifacts, shown []target, e Edge) ([]schema.Artifact, error) {
	var traces, related []string
	var artifacts []schema.Artifact
	named := map[string]bool{} // an id and its path are one artifact
	for _, from := range shown {
		artifacts = append(artifacts, from.artifact)
		for _, l := range linksOf(from.artifact.Path, from.content) {
			to := s.name(l.to)
			point := fmt.Sprintf("%s, %s: %s", from.artifact.ID, l.label, to)
			switch {
			case l.trace:
				traces = append(traces, point)
			case !named[to]:
				related = append(related, point)
				named[to] = true
			}
		}
	}
	incoming, err := s.incoming(r, shown, e)
	if err != nil {
		return nil, err
	}
	traces = append(traces, incoming...)
	v.add(2, "Traceability links", points(len(traces), "None.", func(i int) string { return traces[i] }))
	v.add(2, "Related artifacts", points(len(related), "None.", func(i int) string { return related[i] }))
	return artifacts, nil
}

// incoming returns the trace links that lead to the artifacts that are shown from others that the
// State lists.
func (s *stateArtifacts) incoming(r fs.Reader, shown []target, e Edge) (points []string, err error) {
	for _, a := range s.list[:min(len(s.list), maxFrom)] {
		if a.ID == "" || slices.ContainsFunc(shown, func(t target) bool { return t.artifact.ID == a.ID }) {
			continue // the links of those that are shown are told from their side
		}
		from, _, err := s.show(r, a.ID, e)
		if err != nil {
			return nil, err
		}
		for _, l := range linksOf(from.artifact.Path, from.content) {
			for _, to := range shown {
				if l.trace && (l.to == to.artifact.ID || l.to == to.artifact.Path) {
					points = append(points, fmt.Sprintf("%s, %s of: %s", to.artifact.ID, l.label, s.name(a.ID)))
				}
			}
		}
	}
	return points, nil
}

// show reads an artifact from its file, or from the cache if the file is gone. The result note is a
// remark for the reader; without content it tells why.
func (s *stateArtifacts) show(r fs.Reader, id string, e Edge) (found target, note string, err error) {
	found, err = s.resolve(r, id, e.Loader)
	var unknown *UnknownError
	var unusable *UnusableError
	switch {
	case err == nil:
		if found.content == nil {
			found.content = []byte{}
		}
		return found, "", nil
	case !errors.As(err, &unknown) && !errors.As(err, &unusable):
		return target{}, "", err
	}
	i := s.byID(id)
	if i < 0 {
		return target{}, err.Error(), nil
	}
	c := openCache(r, s, e)
	at := c.find(id)
	if at < 0 || c.entries[at].Path != clean(s.list[i].Path) {
		return target{}, err.Error(), nil
	}
	cached, unread := readCached(r, id)
	if unread != nil || sum(cached) != c.entries[at].SHA256 {
		return target{}, err.Error(), nil
	}
	return target{i, s.list[i], cached}, "from the cache, as of " + c.entries[at].CachedAt + "; " + err.Error(), nil
}

func readCached(r fs.Reader, id string) ([]byte, error) {
	content, err := r.Read(cacheName(r, id))
	if content == nil && err == nil {
		content = []byte{}
	}
	return content, err
}

// facts returns what the State records of an artifact, as text.
func facts(a schema.Artifact, note string) string {
	list := []string{"File: " + a.Path}
	if a.Path == "" {
		list = nil
	}
	if a.Loaded {
		list = append(list, fmt.Sprintf("Loaded: %d tokens (%s)", int(a.Tokens), a.Counter))
	}
	if a.Clarity > 0 {
		list = append(list, fmt.Sprintf("Clarity: %v %%", a.Clarity))
	}
	if a.Outdated {
		list = append(list, "Outdated: it names decisions that are superseded")
	}
	if note != "" {
		list = append(list, "Note: "+note)
	}
	return points(len(list), "", func(i int) string { return list[i] })
}

// fenced returns an artifact's text in a code fence that the text cannot close.
func fenced(t target) string {
	content, rest := string(t.content), 0
	if len(content) > maxShown {
		rest = len(content) - maxShown
		content = strings.ToValidUTF8(content[:maxShown], "")
	}
	content = printable(content)
	fence := strings.Repeat("`", max(3, longestRun(content, '`')+1))
	language := ""
	if markdown(t.artifact.Path) {
		language = "markdown"
	}
	if content != "" && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	text := fence + language + "\n" + content + fence + "\n"
	if rest > 0 {
		text += fmt.Sprintf("\n%d more bytes are in the file.\n", rest)
	}
	return text
}

// longestRun returns the length of the longest run of c in text.
func longestRun(text string, c byte) (longest int) {
	run := 0
	for i := range len(text) {
		if run++; text[i] != c {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// name returns an id or a path with what the State knows of it.
func (s *stateArtifacts) name(to string) string {
	i := s.byID(to)
	if i < 0 {
		i = s.byPath(to)
	}
	if i < 0 {
		return to
	}
	a := s.list[i]
	known := []string{}
	for _, text := range []string{a.Name, a.Type, a.Path} {
		if text != "" {
			known = append(known, text)
		}
	}
	if a.Loaded {
		known = append(known, "loaded")
	}
	text := a.ID
	if len(known) > 0 {
		text += " (" + strings.Join(known, "; ") + ")"
	}
	return text
}
