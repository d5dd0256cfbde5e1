package dash

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/condense"
)

// A handed holds the handoffs of a tree: open ones first, then newest first.
type handed struct {
	newest []handoff
	facets handoffFacets
	faults []fault
}

// A handoff is the result of a task. Its results are JSON as text.
type handoff struct {
	ID      string   `json:"id"`
	Task    string   `json:"task"`
	From    string   `json:"from,omitempty"`
	To      string   `json:"to,omitempty"`
	Created string   `json:"created,omitempty"`
	Status  string   `json:"status"`
	Summary string   `json:"summary,omitempty"`
	Files   []string `json:"files"`
	File    string   `json:"file"`
	Results string   `json:"results,omitempty"` // in the view of one handoff
}

type handoffFacets struct {
	Status []facet `json:"status"`
	To     []facet `json:"to"`
}

// handedOn returns the handoffs, and reads them again if one changed.
func (s *Server) handedOn() handed {
	h, _ := s.handoffs.get(s.news.of(ofHandoffs), func() (handed, error) {
		all, faults := condense.Handoffs(s.Tree)
		h := handed{faults: faultsOf(faults)}
		states, to := map[string]int{}, map[string]int{}
		for _, one := range slices.Backward(all) {
			states[one.Status]++
			to[one.To]++
			h.newest = append(h.newest, handoff{
				clip(one.ID, 200), clip(one.Task, shortText), clip(one.From, 100), clip(one.To, 100), one.Created, clip(one.Status, 100),
				clip(one.Summary, 8<<10), clipAll(one.Files, shortText, many), one.File, clip(string(one.Results), longText),
			})
		}
		later := func(h handoff) int {
			if h.Status == condense.Open {
				return 0
			}
			return 1
		}
		slices.SortStableFunc(h.newest, func(a, b handoff) int { return cmp.Compare(later(a), later(b)) })
		h.facets = handoffFacets{facetsOf(states), facetsOf(to)}
		return h, nil
	})
	return h
}

// listHandoffs answers /api/handoffs. The parameters q, status and to filter them.
func (s *Server) listHandoffs(r *http.Request) (any, error) {
	all := s.handedOn()
	words, status, to := soughtIn(r), r.URL.Query().Get("status"), r.URL.Query().Get("to")
	var matched []handoff
	for _, h := range all.newest {
		text := strings.ToLower(strings.Join(append([]string{h.ID, h.Task, h.From, h.To, h.Summary}, h.Files...), "\n"))
		if (status == "" || h.Status == status) && (to == "" || h.To == to) && words.in(text) {
			h.Summary, h.Results, h.Files = clip(h.Summary, shortText), "", clipAll(h.Files, word, few)
			matched = append(matched, h)
		}
	}
	p, list, err := pageOf(r, len(all.newest), matched)
	if err != nil {
		return nil, err
	}
	return struct {
		page
		Facets   handoffFacets `json:"facets"`
		Handoffs []handoff     `json:"handoffs"`
		Faults   []fault       `json:"faults,omitempty"`
	}{p, all.facets, list, firstFaults(all.faults)}, nil
}

// showHandoff answers /api/handoffs/{id}.
func (s *Server) showHandoff(r *http.Request) (any, error) {
	all := s.handedOn()
	i := slices.IndexFunc(all.newest, func(h handoff) bool { return h.ID == r.PathValue("id") })
	if i < 0 {
		return nil, errMissing
	}
	return struct {
		Version int `json:"version"`
		handoff
	}{1, all.newest[i]}, nil
}
