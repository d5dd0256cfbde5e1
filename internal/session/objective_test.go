package session_test

import (
	"testing"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

func TestObjective(t *testing.T) {
	whole := schema.Goal{Goal: "whole", Priority: session.Medium}
	for _, c := range []struct {
		what  string
		goals []schema.Goal
		want  string
	}{
		{"none", nil, ""},
		{"behind a part and one that is complete", []schema.Goal{{Goal: "part", ParentGoalID: "whole", Priority: session.High}, {Goal: "done", Status: session.Complete, Priority: session.High}, whole}, "whole"},
		{"the most urgent", []schema.Goal{{Goal: "low", Priority: session.Low}, whole, {Goal: "high", Priority: session.High}}, "high"},
		{"the first of equals, of which one says nothing known", []schema.Goal{{Goal: "odd", Priority: "P0"}, whole}, "odd"},
		{"what is in progress before what is urgent", []schema.Goal{{Goal: "high", Priority: session.High}, {Goal: "low", Priority: session.Low, Status: session.InProgress}}, "low"},
	} {
		if got := session.Objective(schema.HotContext{ActiveGoals: c.goals}); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
