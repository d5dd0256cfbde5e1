package mcp

import (
	"context"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/query"
)

func briefTool() tool {
	return tool{
		name: "brief", title: "Brief for the start of a session",
		about: "One screen to begin with: goals, constraints, decisions that hold, open questions, dead ends, what is next and what went stale, all dated. Call it at the start of a session and after a compaction.",
		members: []member{
			{name: "max_tokens", kind: whole, least: 100, most: 2400, about: fmt.Sprintf("at most so many tokens; %d by default", brief.DefaultTokens)},
			{name: "project", kind: text, most: 200, about: "only what belongs to this project"},
		},
		prose: true,
		run: func(c *call) (answer, error) {
			text, err := c.briefText(c.ctx, query.BriefQuery{MaxTokens: c.number("max_tokens", 0), Project: c.text("project")})
			if err != nil {
				return answer{}, err
			}
			return shortProse(text, "a smaller max_tokens leaves out what matters least")
		},
	}
}

// ways are the tools by which there is more.
func (s *server) ways() brief.Ways {
	w := brief.Ways{
		Name: "tools", All: "brief with a larger max_tokens; decision_list; governs with a path; search; recover with an id; work_list",
		More: "the tool brief with a larger max_tokens", Mend: "the tool validate",
	}
	if s.AllowWrites {
		w.Begin = "The tools goal and decision_add"
	}
	return w
}

// briefText is the brief of the tree.
func (s *server) briefText(ctx context.Context, q query.BriefQuery) (string, error) {
	q.Ways = s.ways()
	return reading(s, func(tree *fs.Tree) (string, error) {
		b, err := query.Brief(ctx, tree, q)
		if err != nil {
			return "", err
		}
		text := b.Text()
		if text == "" {
			return "", misused("%d tokens hold no brief; %d is what it takes by default", q.MaxTokens, brief.DefaultTokens)
		}
		return text, nil
	})
}

// reading opens the tree for reading while do reads it.
func reading[T any](s *server, do func(*fs.Tree) (T, error)) (T, error) {
	tree, err := s.open()
	if err != nil {
		var none T
		return none, err
	}
	defer tree.Close()
	return do(tree)
}
