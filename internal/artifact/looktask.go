package artifact

import (
	"errors"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

const (
	maxShown = 200 << 10 // bytes of one artifact that a View shows
	maxTask  = 20        // current artifacts that a View shows
)

// task is load layer 2: what is worked on, what that traces to, and what is
// related to it. It returns the artifacts it showed.
func (v *view) task(r fs.Reader, s *roster, e Edge) ([]schema.Artifact, error) {
	var shown []target
	told := 0
	for _, kind := range s.currentKinds() {
		for _, id := range s.current(kind) {
			if kind == "layer" {
				continue
			}
			if told++; told > maxTask { // those that are missing take their time, too
				continue
			}
			found, note, err := s.show(r, id, e)
			if err != nil {
				return nil, err
			}
			title := "Current " + kind + ": " + id
			if found.content == nil {
				v.add(2, title, line(note, maxPoint)+"\n")
				continue
			}
			if found.artifact.Name != "" {
				title += ", " + found.artifact.Name
			}
			v.add(2, title, facts(found.artifact, note)+"\n"+fenced(found))
			shown = append(shown, found)
		}
	}
	if told > maxTask {
		v.add(2, "Other current artifacts", fmt.Sprintf("The project names %d more.\n", told-maxTask))
	}
	if told == 0 {
		v.add(2, "Current idea, module or domain", "The project names none.\n")
	}
	var traces, related []string
	var artifacts []schema.Artifact
	named := map[string]bool{} // an id and its path are the same
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
	v.add(2, "Traceability links", points(len(traces), "None.", func(i int) string { return traces[i] }))
	v.add(2, "Related artifacts", points(len(related), "None.", func(i int) string { return related[i] }))
	return artifacts, nil
}

// show reads an artifact from its file, or from the cache where that is gone.
// note says what is to be known of it; without content, why there is none.
func (s *roster) show(r fs.Reader, id string, e Edge) (found target, note string, err error) {
	found, err = s.resolve(r, id, e.Loader)
	var unknown *Unknown
	var unusable *Unusable
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

// facts say what the State has to say of an artifact.
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
	if a.Changed() {
		list = append(list, "Changed since it was loaded: "+a.LastModified)
	}
	if a.Outdated {
		list = append(list, "Outdated: it names decisions that are superseded")
	}
	if note != "" {
		list = append(list, "Note: "+note)
	}
	return points(len(list), "", func(i int) string { return list[i] })
}

// fenced is an artifact's text in a fence that it cannot end.
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

// longestRun is how often c stands in a row in text, at most.
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

// name is an id or a path with what the State knows of it.
func (s *roster) name(to string) string {
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
