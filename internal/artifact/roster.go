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

// A roster is the State as the loader sees it.
type roster struct {
	src  []byte
	list []schema.Artifact
	now  map[string][]string // what project.current_<kind> names, by kind
}

func readRoster(r fs.Reader) (*roster, error) {
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
	s := &roster{src: src, list: state.Artifacts, now: map[string][]string{}}
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

// current returns the ids that project.current_<kind> names: one or a list.
func (s *roster) current(kind string) []string {
	return slices.DeleteFunc(slices.Clone(s.now[kind]), func(id string) bool { return id == "" })
}

// currentKinds are the kinds that the project has something current of, those
// of the layers first, in their order.
func (s *roster) currentKinds() []string {
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

// byID is the index of the artifact of that id, -1 if there is none.
func (s *roster) byID(id string) int {
	return slices.IndexFunc(s.list, func(a schema.Artifact) bool { return a.ID == id })
}

// byPath is the index of the artifact whose file is at path, -1 if none is.
func (s *roster) byPath(path string) int {
	return slices.IndexFunc(s.list, func(a schema.Artifact) bool { return a.Path != "" && clean(a.Path) == path })
}

// idsOf are the ids of the artifacts of one kind.
func (s *roster) idsOf(kind string) []string {
	var ids []string
	for _, a := range s.list {
		if kindOf(a) == kind && !slices.Contains(ids, a.ID) {
			ids = append(ids, a.ID)
		}
	}
	return ids
}

// put makes a the artifact at index i, which may be the length of the list: only
// the members that differ are written, and used_tokens moves along.
func (s *roster) put(i int, a schema.Artifact) error {
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
	return s.charge(cost(a) - cost(old))
}

// cost is what an artifact takes of the window.
func cost(a schema.Artifact) int64 {
	if !a.Loaded {
		return 0
	}
	return int64(a.Tokens)
}

func (s *roster) amend(i int, old, a schema.Artifact) error {
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

// charge moves used_tokens, where the State has it.
func (s *roster) charge(tokens int64) error {
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

// figure reads a whole number of the State.
func (s *roster) figure(pointer string) (int64, bool) {
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

// text reads a string of the State; "" where there is none.
func (s *roster) text(pointer string) string {
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
func (s *roster) write(tx *fs.Tx) { tx.Write(fs.State, s.src) }
