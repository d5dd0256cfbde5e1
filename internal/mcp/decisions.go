package mcp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

func decisionListTool() tool {
	return tool{
		name: "decision_list", title: "List decisions, or show one",
		about: "The decisions that hold, the newest first: what was decided, why, and what was rejected. With id one of them in full; governs gives those about a file.",
		members: []member{
			{name: "id", kind: text, most: 200, about: "one decision, in full"},
			{name: "superseded", kind: yes, about: "also those that hold no more; false by default"},
			limitMember(10, 50), offsetMember(),
		},
		plural: "decisions",
		run:    func(c *call) (answer, error) { return reading(c.server, c.listDecisions) },
	}
}

// limitMember is how many items a list may have.
func limitMember(normal, most int) member {
	return member{name: "limit", kind: whole, least: 1, most: most, about: fmt.Sprintf("at most so many; %d by default", normal)}
}

// offsetMember is how a list goes on.
func offsetMember() member {
	return member{name: "offset", kind: whole, least: 0, most: 1_000_000, about: "pass over so many"}
}

// A listedDecision is a decision and how it stands.
type listedDecision struct {
	ID           string   `json:"id"`
	Time         string   `json:"time,omitempty"`
	Decision     string   `json:"decision"`
	Rationale    string   `json:"rationale,omitempty"`
	Rejected     []string `json:"alternatives_rejected,omitempty"`
	Impact       []string `json:"impact,omitempty"`
	By           string   `json:"by,omitempty"`
	Files        []string `json:"files,omitempty"`
	Supersedes   []string `json:"supersedes,omitempty"`
	SupersededBy string   `json:"superseded_by,omitempty"`
	Origin       string   `json:"origin,omitempty"`
	Status       string   `json:"status,omitempty"` // proposed: not in force
}

// listDecision shows a decision with texts of at most n characters.
func listDecision(d schema.Decision, by string, n int) listedDecision {
	cut := func(all []string) (short []string) {
		for i, one := range all {
			if i == 10 {
				return append(short, fmt.Sprintf("[cut: %d more]", len(all)-i))
			}
			short = append(short, inline(one, n/4))
		}
		return short
	}
	shown := listedDecision{
		ID: d.ID, Time: inline(d.Timestamp, 40), Decision: inline(d.Decision, n), Rationale: inline(d.Rationale, n), By: inline(d.DecisionMaker, 60),
		Supersedes: cut(d.Supersedes), SupersededBy: by, Files: cut(d.Files),
	}
	shown.Rejected, shown.Impact = cut(d.AlternativesRejected), cut(d.Impact)
	if d.Origin != schema.OriginExplicit {
		shown.Origin = inline(d.Origin, 20)
	}
	if d.IsProposed() {
		shown.Status = schema.Proposed
	}
	return shown
}

func (d *listedDecision) line() string {
	about := []string{}
	for _, part := range []string{d.Time, d.By, d.Origin} {
		if part != "" {
			about = append(about, part)
		}
	}
	if d.Status != "" {
		about = append(about, "only proposed, not in force")
	}
	if d.SupersededBy != "" {
		about = append(about, "superseded by "+d.SupersededBy)
	}
	line := fmt.Sprintf("%s (%s): %s", d.ID, strings.Join(about, ", "), d.Decision)
	if d.Rationale != "" {
		line += "\n  because " + d.Rationale
	}
	for _, more := range []struct {
		word string
		all  []string
	}{{"rejected", d.Rejected}, {"impact", d.Impact}, {"files", d.Files}, {"supersedes", d.Supersedes}} {
		if len(more.all) > 0 {
			line += "\n  " + more.word + ": " + strings.Join(more.all, "; ")
		}
	}
	return line
}

func (c *call) listDecisions(tree *fs.Tree) (answer, error) {
	known, faults := engine.AllDecisions(tree)
	standing := schema.Current(known)
	l := list{plural: "decisions", offset: c.number("offset", 0)}
	if len(faults) > 0 {
		l.note("%s cannot be read as a decision; validate says more", faults[0].Name)
	}
	all := slices.Clone(standing.WithProposals())
	slices.Reverse(all)
	length := 300
	if id := c.text("id"); id != "" {
		all = slices.DeleteFunc(all, func(d schema.Decision) bool { return d.ID != id })
		if len(all) == 0 {
			return answer{}, &engine.UnknownDecision{ID: id, Known: known}
		}
		length = 1500
	} else {
		all = slices.DeleteFunc(all, func(d schema.Decision) bool {
			_, superseded := standing.SupersededBy(d.ID)
			return superseded && !c.yes("superseded")
		})
	}
	from, to := page(len(all), l.offset, c.number("limit", 10))
	l.offset = from
	for _, d := range all[from:to] {
		by, _ := standing.SupersededBy(d.ID)
		fits := l.fit(length, func(n int) (any, string) {
			shown := listDecision(d, by, n)
			return shown, shown.line()
		})
		if !fits {
			break
		}
	}
	return l.answer(len(all))
}
