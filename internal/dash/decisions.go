package dash

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

// A decided holds the decisions of the Ledger and those that are only in views.
type decided struct {
	newest  []decision // newest first
	texts   []string   // their texts in lower case, for searching
	at      map[string]int
	facets  decisionFacets
	times   timeline
	current int
	faults  []fault
}

// A decision is a decision in the form of the page.
type decision struct {
	*schema.Decision
	SupersededBy string `json:"superseded_by,omitempty"`
	Chained      int    `json:"chained,omitempty"` // number of decisions in its chain, including itself
	Chain        []link `json:"chain,omitempty"`   // in the view of one decision: what it superseded and what supersedes it, oldest first
}

// A link is one decision of a chain.
type link struct {
	ID           string `json:"id"`
	Timestamp    string `json:"timestamp,omitempty"`
	Decision     string `json:"decision"`
	SupersededBy string `json:"superseded_by,omitempty"`
}

// A fault is a document that could not be shown.
type fault struct {
	File string `json:"file"`
	Why  string `json:"why"`
}

// mostFaults is the largest number of faults in a view.
const mostFaults = 50

// firstFaults returns the first faults, and the number of the others as a last fault.
func firstFaults(faults []fault) []fault {
	if len(faults) <= mostFaults {
		return faults
	}
	more := fault{faults[mostFaults].File, fmt.Sprintf("and %d more places, here and elsewhere", len(faults)-mostFaults)}
	return append(faults[:mostFaults:mostFaults], more)
}

type decisionFacets struct {
	Makers   []facet `json:"makers"`
	Projects []facet `json:"projects"`
	Channels []facet `json:"channels"`
}

// decided returns the decisions, and reads them again if they changed.
func (s *Server) decided() (decided, error) {
	return s.ledger.get(s.news.of(ofDecisions), func() (decided, error) {
		known, faults := engine.Decisions(s.Tree)
		standing := schema.Current(known)
		all := slices.Clone(standing.All())
		slices.Reverse(all)
		d := decided{at: make(map[string]int, len(all)), texts: make([]string, len(all)), newest: make([]decision, len(all))}
		makers, projects, channels := map[string]int{}, map[string]int{}, map[string]int{}
		for i := range all {
			one := &all[i]
			by, _ := standing.SupersededBy(one.ID)
			if by == "" {
				d.current++
			}
			d.newest[i] = decision{Decision: one, SupersededBy: by}
			d.at[one.ID] = i
			d.texts[i] = strings.ToLower(strings.Join(slices.Concat(
				[]string{one.ID, one.Decision, one.Rationale, one.DecisionMaker, one.RecordedBy, one.Project, one.Channel},
				one.AlternativesRejected, one.Impact, one.Files), "\n"))
			makers[one.DecisionMaker]++
			projects[one.Project]++
			channels[one.Channel]++
		}
		d.facets = decisionFacets{facetsOf(makers), facetsOf(projects), facetsOf(channels)}
		d.times = timelineOf(d.newest)
		for _, f := range faults {
			d.faults = append(d.faults, fault{f.Name, clip(f.Err.Error(), shortText)})
		}
		return d, nil
	})
}

// facetsOf returns the most frequent values.
func facetsOf(counts map[string]int) []facet {
	const most = 50
	list := []facet{}
	for value, n := range counts {
		if value != "" {
			list = append(list, facet{clip(value, 100), n})
		}
	}
	slices.SortFunc(list, func(a, b facet) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Value, b.Value)) })
	return list[:min(len(list), most)]
}

// mostLinks is the largest number of decisions of a chain that are shown.
const mostLinks = 50

// chain returns the decisions that a decision superseded, directly or not, itself, and those that
// supersede it, oldest first. It returns nil if there are no others.
func (d *decided) chain(id string) []link {
	before := func(id string) []string { // decisions that it superseded, not only named
		return slices.DeleteFunc(slices.Clone([]string(d.newest[d.at[id]].Supersedes)), func(old string) bool {
			i, known := d.at[old]
			return !known || d.newest[i].SupersededBy != id
		})
	}
	seen := map[string]bool{id: true}
	for todo := []string{id}; len(todo) > 0 && len(seen) < mostLinks; {
		one := todo[0]
		todo = todo[1:]
		near := before(one)
		if by := d.newest[d.at[one]].SupersededBy; by != "" {
			near = append(near, by)
		}
		for _, other := range near {
			if _, known := d.at[other]; known && !seen[other] {
				seen[other] = true
				todo = append(todo, other)
			}
		}
	}
	if len(seen) == 1 {
		return nil
	}
	var places []int
	for id := range seen {
		places = append(places, d.at[id])
	}
	slices.Sort(places)
	slices.Reverse(places) // oldest first
	var links []link
	for _, i := range places {
		one := d.newest[i]
		links = append(links, link{one.ID, one.Timestamp, clip(one.Decision.Decision, shortText), one.SupersededBy})
	}
	return links
}

// listDecisions answers /api/decisions, newest first. The parameters q, status (current or
// superseded), maker, project, channel, from and to (dates, inclusive) filter them.
func (s *Server) listDecisions(r *http.Request) (any, error) {
	d, err := s.decided()
	if err != nil {
		return nil, err
	}
	query, words := r.URL.Query(), soughtIn(r)
	if status := query.Get("status"); !slices.Contains([]string{"", "current", "superseded"}, status) {
		return nil, &badQueryError{fmt.Sprintf("status is neither current nor superseded: %q", clip(status, 40))}
	}
	var matched []int
	for i := range d.newest {
		if d.newest[i].fits(query) && words.in(d.texts[i]) {
			matched = append(matched, i)
		}
	}
	p, places, err := pageOf(r, len(d.newest), matched)
	if err != nil {
		return nil, err
	}
	list := make([]decision, len(places))
	for k, i := range places {
		list[k] = d.newest[i].clipped(shortText, few)
		list[k].Chained = len(d.chain(list[k].ID))
	}
	return struct {
		page
		Current   int            `json:"current"`  // number without filters
		Timeline  timeline       `json:"timeline"` // without filters
		Facets    decisionFacets `json:"facets"`
		Decisions []decision     `json:"decisions"`
		Faults    []fault        `json:"faults,omitempty"`
	}{p, d.current, d.times, d.facets, list, firstFaults(d.faults)}, nil
}

// fits reports whether d passes the filters of a query.
func (d *decision) fits(query url.Values) bool {
	for name, value := range map[string]string{"maker": d.DecisionMaker, "project": d.Project, "channel": d.Channel} {
		if wanted := query.Get(name); wanted != "" && wanted != value {
			return false
		}
	}
	switch query.Get("status") {
	case "current":
		if d.SupersededBy != "" {
			return false
		}
	case "superseded":
		if d.SupersededBy == "" {
			return false
		}
	}
	return within(d.Timestamp, query)
}

// within reports whether a time or a date is between from and to.
func within(at string, query url.Values) bool {
	day := at[:min(len(at), len("2026-11-20"))]
	from, to := query.Get("from"), query.Get("to")
	return (from == "" || day >= from) && (to == "" || day != "" && day <= to)
}

// clipped returns d with texts of at most n bytes and lists of at most most elements.
func (d decision) clipped(n, most int) decision {
	one := *d.Decision
	one.Decision, one.Rationale = clip(one.Decision, n), clip(one.Rationale, n)
	for _, list := range []*[]string{&one.AlternativesRejected, &one.Impact, &one.Files} {
		*list = clipAll(*list, min(n, shortText), most)
	}
	d.Decision = &one
	return d
}

// showDecision answers /api/decisions/{id}.
func (s *Server) showDecision(r *http.Request) (any, error) {
	d, err := s.decided()
	if err != nil {
		return nil, err
	}
	i, known := d.at[r.PathValue("id")]
	if !known {
		return nil, errMissing
	}
	one := d.newest[i].clipped(longText, many)
	one.Chain = d.chain(one.ID)
	one.Chained = len(one.Chain)
	return struct {
		Version int `json:"version"`
		decision
	}{1, one}, nil
}
