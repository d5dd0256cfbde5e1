package dash

import (
	"net/http"
	"strings"

	"github.com/forgemind/forgemind/internal/audit"
)

// A stale is a kind of findings.
type stale struct {
	facet
	Summary string `json:"summary"` // what it means
}

// kindsOf are the kinds that occur, the most frequent first.
func kindsOf(counts map[string]int) []stale {
	kinds := []stale{}
	for _, f := range facetsOf(counts) {
		kind := stale{facet: f}
		for _, k := range audit.Kinds() {
			if k.Name == f.Value {
				kind.Summary = k.Summary
			}
		}
		kinds = append(kinds, kind)
	}
	return kinds
}

// listStale answers /api/audit: the heaviest findings first; kind and q narrow
// them.
func (s *Server) listStale(r *http.Request) (any, error) {
	var report audit.Report
	if s.Audit != nil {
		var err error
		report, err = s.audited.get(s.news.of(ofAudit), func() (audit.Report, error) { return s.Audit(r.Context(), s.Tree) })
		if err != nil {
			return nil, err
		}
	}
	words, kind := soughtIn(r), r.URL.Query().Get("kind")
	kinds := map[string]int{}
	var matched []audit.Finding
	for _, f := range report.Findings {
		kinds[f.Kind]++
		texts := []string{f.File, f.About, f.Message, f.Hint}
		for _, e := range f.Evidence {
			texts = append(texts, e.File, e.Text)
		}
		if (kind == "" || f.Kind == kind) && words.in(strings.ToLower(strings.Join(texts, "\n"))) {
			matched = append(matched, f)
		}
	}
	p, list, err := pageOf(r, len(report.Findings), matched)
	if err != nil {
		return nil, err
	}
	return struct {
		page
		Audited    bool            `json:"audited"` // false: there is no audit to ask
		Checked    int             `json:"checked"`
		Commits    int             `json:"commits"`
		NotChecked []audit.Gap     `json:"not_checked,omitempty"`
		Unread     []string        `json:"unread,omitempty"`
		Kinds      []stale         `json:"kinds"`
		Findings   []audit.Finding `json:"findings"`
	}{p, s.Audit != nil, report.Checked, report.Commits, report.NotChecked, report.Unread, kindsOf(kinds), list}, nil
}
