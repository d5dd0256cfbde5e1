package importer

import (
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// An issue is a line of the export of beads.
type issue struct {
	ID           string   `json:"id"`
	Title        string   `json:"title"`
	Description  string   `json:"description"`
	Status       string   `json:"status"`
	Priority     *float64 `json:"priority"`
	Type         string   `json:"issue_type"`
	Assignee     string   `json:"assignee"`
	CreatedAt    string   `json:"created_at"`
	Dependencies []struct {
		DependsOn string `json:"depends_on_id"`
		Type      string `json:"type"`
	} `json:"dependencies"`
}

// readBeads reads issues: epics are goals, decisions are decisions, others are actions.
func readBeads(files []File, res *Result) {
	for _, f := range files {
		for l := range jsonedit.Lines(f.Src) {
			var i issue
			if err := jsonedit.Decode(l.Text, &i); err != nil {
				res.problem(f.Name, l.Number, "the line is no issue: "+err.Error(), "expected a JSON object with id and title")
				continue
			}
			if i.ID == "" || i.Title == "" {
				if !strings.Contains(f.Name, "issues") { // other files of beads, such as deletions
					continue
				}
				res.problem(f.Name, l.Number, "the line is no issue: it lacks id or title", "expected a JSON object with id and title")
				continue
			}
			res.add(i.item(f.Name, l.Number), i.ID)
		}
	}
}

func (i issue) item(file string, line int) Item {
	it := Item{
		Kind: Action, Text: i.Title, Context: prose(i.Description), Assigned: i.Assignee, Aliases: []string{i.ID},
		Source: Source{Format: Beads, File: file, Line: line, ID: i.ID, Status: i.Status},
	}
	if t, err := schema.ParseTime(i.CreatedAt); err == nil {
		it.At = schema.FormatTime(t)
	}
	if i.Priority != nil {
		it.Priority = [...]string{"high", "high", "medium", "low", "low"}[min(max(int(*i.Priority), 0), 4)]
	}
	switch i.Type {
	case "epic":
		it.Kind = Goal
	case "decision":
		it.Kind, it.Status = Decision, Accepted
		it.Rationale, it.Context = it.Context, ""
		return it
	}
	if i.Status == "closed" || i.Status == "tombstone" {
		it.Status = Done
	}
	for _, d := range i.Dependencies {
		if d.Type == "" || d.Type == "blocks" {
			it.BlockedBy = append(it.BlockedBy, keyIn(Beads, d.DependsOn))
		}
	}
	return it
}
