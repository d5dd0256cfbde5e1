package forgemind_test

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind"
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/query"
)

// TestNoAliases holds that go doc shows the fields and methods of every type.
func TestNoAliases(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && spec.Assign.IsValid() && spec.Name.IsExported() {
				t.Errorf("%s: %s is an alias", name, spec.Name)
			}
			return true
		})
	}
}

// TestKinds holds the kinds of the API to those that are searched.
func TestKinds(t *testing.T) {
	t.Parallel()
	var kinds []string
	for _, k := range []forgemind.Kind{
		forgemind.KindDecision, forgemind.KindQuestion, forgemind.KindAction, forgemind.KindGoal, forgemind.KindConstraint, forgemind.KindNote,
		forgemind.KindHandoff, forgemind.KindArtifact, forgemind.KindThread, forgemind.KindPin, forgemind.KindClarification, forgemind.KindCondensation,
		forgemind.KindProject, forgemind.KindSession, forgemind.KindFragment, forgemind.KindMessage, forgemind.KindChunk,
	} {
		kinds = append(kinds, string(k))
	}
	if !slices.Equal(kinds, query.Kinds()) {
		t.Errorf("the API has %v, search has %v", kinds, query.Kinds())
	}
}

// TestListsOfEveryTree lists what is in force in trees with and without sessions, and in
// one whose State alone shows a question.
func TestListsOfEveryTree(t *testing.T) {
	t.Parallel()
	for name, root := range map[string]string{"sessions": newTree(t), "State": newProject(t)} {
		t.Run(name, func(t *testing.T) {
			tree, ctx := open(t, root), t.Context()
			if _, err := tree.AddGoal(ctx, forgemind.Goal{Goal: "Ship the API", Agent: "ann"}); err != nil {
				t.Fatal(err)
			}
			if _, err := tree.AddQuestion(ctx, forgemind.Question{Question: "Which database?", AskedBy: "ann"}); err != nil {
				t.Fatal(err)
			}
			goals, err := tree.Goals(ctx)
			if err != nil || len(goals) != 1 || goals[0].Goal != "Ship the API" || goals[0].Priority != forgemind.PriorityMedium {
				t.Errorf("goals %+v, %v", goals, err)
			}
			questions, err := tree.Questions(ctx)
			if err != nil || len(questions) != 1 || questions[0].AskedBy != "ann" {
				t.Errorf("questions %+v, %v", questions, err)
			}
		})
	}
	root := newProject(t)
	path := filepath.Join(root, filepath.FromSlash(fs.State))
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	shown := strings.Replace(string(src), `"open_questions": []`, `"open_questions": [{"id": "Q-1", "question": "Which database?"}]`, 1)
	if err := os.WriteFile(path, []byte(shown), 0o644); err != nil {
		t.Fatal(err)
	}
	questions, err := open(t, root).Questions(t.Context())
	if err != nil || len(questions) != 1 || questions[0].ID != "Q-1" {
		t.Errorf("of the State alone: %+v, %v", questions, err)
	}
}

// TestErrorsPassThroughAnEdit holds that an error of a step is of this package once, and
// keeps what it was made of.
func TestErrorsPassThroughAnEdit(t *testing.T) {
	t.Parallel()
	tree := open(t, newTree(t))
	var inside error
	_, err := tree.Update(t.Context(), "ann", func(e *forgemind.Edit) error {
		_, inside = e.CompleteGoal("nothing like it")
		return inside
	})
	missing, ok := errors.AsType[*forgemind.NotFoundError](err)
	if !ok || missing.Kind != forgemind.KindGoal || missing.Which != "nothing like it" || inside.Error() != err.Error() {
		t.Errorf("the error is %v", err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tree.Goals(done); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// TestMessagesKeepEveryMember holds the conversion of messages, there and back.
func TestMessagesKeepEveryMember(t *testing.T) {
	t.Parallel()
	tree := open(t, newProject(t))
	said := forgemind.Message{
		ID: "msg-1", Timestamp: "2026-03-02T09:00:00Z", Agent: "ann", Role: forgemind.RoleTool, Kind: forgemind.MessageToolOutput, Content: "ok",
		Priority: forgemind.PriorityHigh, Importance: new(0.5), ToolName: "ls", Metadata: []byte(`{"exit":0}`),
	}
	added, err := tree.AddMessages(t.Context(), said)
	if err != nil || len(added) != 1 {
		t.Fatalf("%+v, %v", added, err)
	}
	got := added[0]
	if got.ID != said.ID || got.Timestamp != said.Timestamp || got.Agent != said.Agent || got.Role != said.Role || got.Kind != said.Kind ||
		got.Content != said.Content || got.Priority != said.Priority || *got.Importance != 0.5 || got.ToolName != said.ToolName || string(got.Metadata) != `{"exit":0}` {
		t.Errorf("%+v", got)
	}
}
