package artifact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A stateArtifacts is the State with what the loader needs to know about it.
type stateArtifacts struct {
	src  []byte
	list []schema.Artifact
	now  map[string][]string // values of project.current_<kind>, by kind
}

func readRoster(r fs.Reader) (*stateArtifacts, error) {
	src, err := r.Read(fs.State)
	if err != nil {
		return nil, err
	}
	var state struct {
		Artifacts []schema.Artifact `json:"loaded_artifacts"`
	}
	if err := jsonedit.Decode(src, &state); err != nil {
		return nil, fmt.Errorf("%s: %w", fs.State, err)
	}
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fs.State, err)
	}
	s := &stateArtifacts{src: src, list: state.Artifacts, now: map[string][]string{}}
	if project := doc.Find("/project"); project >= 0 {
		for member := range doc.Children(project) {
			kind, ok := strings.CutPrefix(doc.Key(member), "current_")
			if !ok {
				continue
			}
			kind = singular(kind)
			if id, ok := doc.Str(member); ok {
				s.now[kind] = append(s.now[kind], id)
			}
			if doc.Nodes[member].Kind == jsonedit.Array {
				for element := range doc.Children(member) {
					if id, ok := doc.Str(element); ok {
						s.now[kind] = append(s.now[kind], id)
					}
				}
			}
		}
	}
	return s, nil
}

// current returns the ids in project.current_<kind>, which is one id or a list.
func (s *stateArtifacts) current(kind string) []string {
	return slices.DeleteFunc(slices.Clone(s.now[kind]), func(id string) bool { return id == "" })
}

// currentKinds returns the kinds for which the project has a current artifact, those of the layers
// first and in their order.
func (s *stateArtifacts) currentKinds() []string {
	var kinds []string
	for kind := range s.now {
		if len(s.current(kind)) > 0 {
			kinds = append(kinds, kind)
		}
	}
	slices.SortFunc(kinds, func(a, b string) int {
		return cmp.Or(cmp.Compare(layerRank(a), layerRank(b)), cmp.Compare(a, b))
	})
	return kinds
}

// byID returns the index of the artifact with that id, or -1.
func (s *stateArtifacts) byID(id string) int {
	return slices.IndexFunc(s.list, func(a schema.Artifact) bool { return a.ID == id })
}

// byPath returns the index of the artifact whose file is at path, or -1.
func (s *stateArtifacts) byPath(path string) int {
	return slices.IndexFunc(s.list, func(a schema.Artifact) bool { return a.Path != "" && clean(a.Path) == path })
}

// idsOf returns the ids of the artifacts of a kind.
func (s *stateArtifacts) idsOf(kind string) []string {
	var ids []string
	for _, a := range s.list {
		if kindOf(a) == kind && !slices.Contains(ids, a.ID) {
			ids = append(ids, a.ID)
		}
	}
	return ids
}

// put stores a at index i, which may be the length of the list. It writes only members that differ,
// and adjusts used_tokens.
func (s *stateArtifacts) put(i int, a schema.Artifact) error {
	var old schema.Artifact
	if i < len(s.list) {
		old = s.list[i]
		if err := s.amend(i, old, a); err != nil {
			return err
		}
		s.list[i] = a
	} else {
		value, err := jsonedit.Value(a)
		if err != nil {
			return err
		}
		if s.src, err = jsonedit.Append(s.src, "/loaded_artifacts", value); err != nil {
			return err
		}
		s.list = append(s.list, a)
	}
	return s.addTokens(cost(a) - cost(old))
}

// cost returns the tokens that an artifact takes of the window.
func cost(a schema.Artifact) int64 {
	if !a.Loaded {
		return 0
	}
	return int64(a.Tokens)
}

func (s *stateArtifacts) amend(i int, old, a schema.Artifact) error {
	at := fmt.Sprintf("/loaded_artifacts/%d/", i)
	for _, m := range []struct {
		name     string
		old, now any
	}{
		{"type", old.Type, a.Type},
		{"name", old.Name, a.Name},
		{"path", old.Path, a.Path},
		{"loaded", old.Loaded, a.Loaded},
		{"load_layer", old.LoadLayer, a.LoadLayer},
		{"size_kb", old.SizeKB, a.SizeKB},
		{"tokens", old.Tokens, a.Tokens},
		{"counter", old.Counter, a.Counter},
		{"load_time", old.LoadTime, a.LoadTime},
		{"last_accessed", old.LastAccessed, a.LastAccessed},
		{"access_count", old.AccessCount, a.AccessCount},
		{"last_modified", old.LastModified, a.LastModified},
		{"summary", old.Summary, a.Summary},
		{"available", old.Available, a.Available},
		{"outdated", old.Outdated, a.Outdated},
	} {
		if m.old == m.now {
			continue
		}
		var err error
		if m.name == "outdated" && !a.Outdated {
			s.src, err = jsonedit.Delete(s.src, at+m.name)
		} else {
			s.src, err = set(s.src, at+m.name, m.now)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addTokens adds tokens to used_tokens if the State has that member.
func (s *stateArtifacts) addTokens(tokens int64) error {
	if tokens == 0 {
		return nil
	}
	used, ok := s.figure("/context_window/used_tokens")
	if !ok {
		return nil
	}
	var err error
	s.src, err = set(s.src, "/context_window/used_tokens", max(0, used+tokens))
	return err
}

// figure reads an integer of the State.
func (s *stateArtifacts) figure(pointer string) (int64, bool) {
	doc, err := jsonedit.Parse(s.src)
	if err != nil {
		return 0, false
	}
	i := doc.Find(pointer)
	if i < 0 {
		return 0, false
	}
	return doc.Int(i)
}

// text reads a string of the State, or returns "".
func (s *stateArtifacts) text(pointer string) string {
	doc, err := jsonedit.Parse(s.src)
	if err != nil {
		return ""
	}
	i := doc.Find(pointer)
	if i < 0 {
		return ""
	}
	text, _ := doc.Str(i)
	return text
}

func set(src []byte, pointer string, v any) ([]byte, error) {
	value, err := jsonedit.Value(v)
	if err != nil {
		return nil, fmt.Errorf("set %s: %w", pointer, err)
	}
	return jsonedit.Set(src, pointer, value)
}

// write stages the State.
func (s *stateArtifacts) write(tx *fs.Tx) { tx.Write(fs.State, s.src) }
