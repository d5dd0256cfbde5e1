package dash

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/schema"
)

// A discussed holds the threads of a tree: active ones first, then resolved ones without a
// condensation, each by their last message.
type discussed struct {
	all    []condense.Thread
	facets threadFacets
	faults []fault
}

type threadFacets struct {
	Channels []facet `json:"channels"`
	Status   []facet `json:"status"`
}

// discussed returns the threads, and reads them again if one changed.
func (s *Server) discussed() (discussed, error) {
	return s.threads.get(s.news.of(ofThreads), func() (discussed, error) {
		all, faults, err := condense.Threads(s.Tree)
		if err != nil {
			return discussed{}, err
		}
		order := map[string]int{condense.Active: -2, condense.Resolved: -1}
		slices.SortStableFunc(all, func(a, b condense.Thread) int {
			return cmp.Or(order[a.Status]-order[b.Status], b.Last.Compare(a.Last))
		})
		channels, states := map[string]int{}, map[string]int{}
		for i := range all {
			t := &all[i]
			channels[t.Channel]++
			states[t.Status]++
			t.Title, t.Participants = clip(t.Title, shortText), clipAll(t.Participants, word, many)
		}
		return discussed{all, threadFacets{facetsOf(channels), facetsOf(states)}, faultsOf(faults)}, nil
	})
}

// faultsOf converts the faults of condense.
func faultsOf(list []condense.Fault) []fault {
	var faults []fault
	for _, f := range list {
		faults = append(faults, fault{f.Name, clip(f.Err.Error(), shortText)})
	}
	return faults
}

// listThreads answers /api/threads. The parameters q, status and channel filter them.
func (s *Server) listThreads(r *http.Request) (any, error) {
	d, err := s.discussed()
	if err != nil {
		return nil, err
	}
	words, status, channel := soughtIn(r), r.URL.Query().Get("status"), r.URL.Query().Get("channel")
	var matched []condense.Thread
	for _, t := range d.all {
		text := strings.ToLower(strings.Join(append([]string{t.ID, t.Channel, t.Title}, t.Participants...), "\n"))
		if (status == "" || t.Status == status) && (channel == "" || t.Channel == channel) && words.in(text) {
			matched = append(matched, t)
		}
	}
	p, list, err := pageOf(r, len(d.all), matched)
	if err != nil {
		return nil, err
	}
	return struct {
		page
		Facets  threadFacets      `json:"facets"`
		Threads []condense.Thread `json:"threads"`
		Faults  []fault           `json:"faults,omitempty"`
	}{p, d.facets, list, firstFaults(d.faults)}, nil
}

// showThread answers /api/threads/{id} with the thread and its messages, oldest first.
func (s *Server) showThread(r *http.Request) (any, error) {
	d, err := s.discussed()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(d.all, func(t condense.Thread) bool { return t.ID == r.PathValue("id") })
	if i < 0 {
		return nil, errMissing
	}
	said, faults, err := condense.Talk(s.Tree, d.all[i].Talk())
	if err != nil {
		return nil, err
	}
	p, list, err := pageOf(r, len(said), said)
	if err != nil {
		return nil, err
	}
	messages := make([]message, len(list))
	for k, m := range list {
		messages[k] = showMessage(m)
	}
	return struct {
		page
		Thread   condense.Thread `json:"thread"`
		Messages []message       `json:"messages"`
		Faults   []fault         `json:"faults,omitempty"`
	}{p, d.all[i], messages, firstFaults(faultsOf(faults))}, nil
}

// A message is a message in the form of the page.
type message struct {
	ID        string `json:"id"`
	Timestamp string `json:"timestamp,omitempty"`
	Agent     string `json:"agent,omitempty"`
	Role      string `json:"role,omitempty"`
	Kind      string `json:"kind,omitempty"`
	Content   string `json:"content"`
}

func showMessage(m schema.Message) message {
	const most = 8 << 10
	return message{m.ID, m.Timestamp, clip(m.Agent, 100), m.Role, m.Kind, clip(m.Content, most)}
}
