package forgemind_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/forgemind/forgemind"
)

// shop makes a new tree in a project directory called shop. Each look at its clock
// takes a second.
func shop() (tree *forgemind.Tree, remove func()) {
	parent, err := os.MkdirTemp("", "forgemind-example-")
	if err != nil {
		log.Fatal(err)
	}
	dir := filepath.Join(parent, "shop")
	if err := os.Mkdir(dir, 0o755); err != nil {
		log.Fatal(err)
	}
	var looks atomic.Int64
	clock := forgemind.WithClock(func() time.Time {
		return time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC).Add(time.Duration(looks.Add(1)) * time.Second)
	})
	tree, err = forgemind.Init(context.Background(), dir, forgemind.InitOptions{}, clock)
	if err != nil {
		log.Fatal(err)
	}
	return tree, func() {
		tree.Close()
		os.RemoveAll(parent)
	}
}

// check ends the program if there is an error.
func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// A program lends its window, is told when the window fills, and gets it back shorter.
func Example() {
	ctx := context.Background()
	tree, remove := shop()
	defer remove()

	talk := []forgemind.Message{} // the agent's own
	for n := range 40 {
		talk = append(talk, forgemind.Message{Role: forgemind.RoleAssistant, Content: fmt.Sprintf("Step %d: the API checks the token before it reads the database.", n)})
	}
	talk = append(talk, forgemind.Message{Role: forgemind.RoleUser, Content: "Which database do we use?"})
	tokens := 61_000

	window := tree.Attach(forgemind.Callbacks{
		CountTokens: func(context.Context) (int, error) { return tokens, nil },
		Messages:    func(_ context.Context, n int) ([]forgemind.Message, error) { return talk[max(0, len(talk)-n):], nil },
		SetContext: func(_ context.Context, c forgemind.Context) error {
			talk, tokens = c.Messages, c.Tokens
			return nil
		},
	})

	status, err := window.BeforeResponse(ctx, 100_000)
	check(err)
	fmt.Printf("%d of %d tokens, %d new messages\n", status.Tokens, status.Limit, status.Added)
	if status.NeedsCompaction {
		done, err := window.Compact(ctx, forgemind.CompactOptions{Budget: 300})
		check(err)
		fmt.Println("within the budget:", done.TokensAfter <= 300)
	}
	fmt.Println("latest message:", talk[len(talk)-1].Content)

	ended, err := window.SessionEnd(ctx)
	check(err)
	fmt.Println("another session goes on:", ended.Next != "" && ended.Next != ended.Session)
	// Output:
	// 61000 of 100000 tokens, 41 new messages
	// within the budget: true
	// latest message: Which database do we use?
	// another session goes on: true
}

// Init makes the tree of a project.
func ExampleInit() {
	dir, err := os.MkdirTemp("", "forgemind-example-")
	check(err)
	defer os.RemoveAll(dir)
	tree, err := forgemind.Init(context.Background(), dir, forgemind.InitOptions{})
	check(err)
	defer tree.Close()

	_, err = os.Stat(filepath.Join(dir, ".forgemind", "config.json"))
	fmt.Println(err)
	// Output: <nil>
}

// Open finds the tree of a directory in it, or above it.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "forgemind-example-")
	check(err)
	defer os.RemoveAll(dir)

	_, err = forgemind.Open(dir)
	fmt.Println(errors.Is(err, forgemind.ErrNoTree))
	// Output: true
}

// A brief lists the facts that an agent needs when a session starts.
func ExampleTree_Brief() {
	ctx := context.Background()
	tree, remove := shop()
	defer remove()
	_, err := tree.AddGoal(ctx, forgemind.Goal{ID: "goal-api", Goal: "Ship the public API", Priority: forgemind.PriorityHigh, Agent: "ann"})
	check(err)
	_, err = tree.AddConstraint(ctx, forgemind.Constraint{ID: "constraint-hour", Constraint: "Tokens expire after one hour", Agent: "ann"})
	check(err)

	brief, err := tree.Brief(ctx, forgemind.BriefOptions{})
	check(err)
	fmt.Println("fits:", brief.Tokens <= forgemind.DefaultBriefTokens)
	for line := range strings.Lines(brief.Text) {
		if strings.HasPrefix(line, "- goal-") || strings.HasPrefix(line, "- constraint-") {
			fmt.Print(line)
		}
	}
	// Output:
	// fits: true
	// - goal-api (2026-03-02, high, pending): Ship the public API
	// - constraint-hour (2026-03-02): Tokens expire after one hour
}

// A context is built for a prompt, within a budget of tokens.
func ExampleTree_Context() {
	ctx := context.Background()
	tree, remove := shop()
	defer remove()
	_, err := tree.AddConstraint(ctx, forgemind.Constraint{Constraint: "Tokens expire after one hour", Agent: "ann"})
	check(err)

	made, err := tree.Context(ctx, forgemind.ContextOptions{Prompt: "how long does a token live?", MaxTokens: 1500})
	check(err)
	fmt.Println(made.Tokens > 0, made.Tokens <= 1500)

	_, err = tree.Context(ctx, forgemind.ContextOptions{MaxTokens: 1})
	small, ok := errors.AsType[*forgemind.BudgetError](err)
	fmt.Println(ok, small.Have)
	// Output:
	// true true
	// true 1
}

// Search finds records, messages and what left a conversation.
func ExampleTree_Search() {
	ctx := context.Background()
	tree, remove := shop()
	defer remove()
	_, err := tree.AddDecision(ctx, forgemind.Decision{ID: "DEC-RS256", Decision: "Sign API tokens with RS256", Rationale: "keys can rotate"}, forgemind.PriorityHigh)
	check(err)
	_, err = tree.AddNote(ctx, forgemind.Note{Note: "The staging keys are rotated on Mondays"})
	check(err)

	found, err := tree.Search(ctx, "token", forgemind.SearchOptions{Kinds: []forgemind.Kind{forgemind.KindDecision}, Limit: 5})
	check(err)
	for _, r := range found {
		fmt.Println(r.Kind, r.ID, r.Title)
	}
	// Output: decision DEC-RS256 Sign API tokens with RS256
}

// A decision is recorded once. A newer one supersedes it.
func ExampleTree_AddDecision() {
	ctx := context.Background()
	tree, remove := shop()
	defer remove()

	first, err := tree.AddDecision(ctx, forgemind.Decision{Decision: "Sign tokens with HS256", Rationale: "one secret"}, "")
	check(err)
	_, err = tree.AddDecision(ctx, forgemind.Decision{Decision: "Sign tokens with RS256", Rationale: "keys can rotate", Supersedes: []string{first.ID}}, "")
	check(err)
	_, err = tree.AddDecision(ctx, forgemind.Decision{Decision: "Sign tokens with EdDSA", Supersedes: []string{first.ID}}, "")
	_, ok := errors.AsType[*forgemind.SupersededError](err)
	fmt.Println("superseded before:", ok)

	all, err := tree.Decisions(ctx)
	check(err)
	for _, d := range all {
		fmt.Println(d.Decision, "in force:", d.SupersededBy == "")
	}
	// Output:
	// superseded before: true
	// Sign tokens with HS256 in force: false
	// Sign tokens with RS256 in force: true
}

// A goal is added, changed and completed. Goals lists those in force.
func ExampleTree_Goals() {
	ctx := context.Background()
	tree, remove := shop()
	defer remove()
	_, err := tree.AddGoal(ctx, forgemind.Goal{Goal: "Ship the public API", Agent: "ann"})
	check(err)
	_, err = tree.AddGoal(ctx, forgemind.Goal{Goal: "Write the docs", Agent: "ann"})
	check(err)
	_, err = tree.UpdateGoal(ctx, "ann", "public API", forgemind.GoalChange{Status: new(forgemind.GoalInProgress), Priority: new(forgemind.PriorityHigh)})
	check(err)
	_, err = tree.CompleteGoal(ctx, "ann", "docs")
	check(err)

	goals, err := tree.Goals(ctx)
	check(err)
	for _, g := range goals {
		fmt.Println(g.Goal, g.Status, g.Priority)
	}
	_, err = tree.CompleteGoal(ctx, "ann", "docs")
	_, ok := errors.AsType[*forgemind.NotFoundError](err)
	fmt.Println("no such goal:", ok)
	// Output:
	// Ship the public API in-progress high
	// no such goal: true
}

// An action can wait for the answer to a question.
func ExampleTree_AnswerQuestion() {
	ctx := context.Background()
	tree, remove := shop()
	defer remove()
	action, err := tree.AddAction(ctx, forgemind.Action{Action: "Write the schema", CreatedBy: "ann"})
	check(err)
	question, err := tree.AddQuestion(ctx, forgemind.Question{Question: "Which database?", AskedBy: "ann", Blocking: []string{action.ID}})
	check(err)

	actions, err := tree.Actions(ctx)
	check(err)
	fmt.Println("waits:", actions[0].BlockedBy[0] == question.ID)
	answer, err := tree.AnswerQuestion(ctx, "ben", question.ID, "PostgreSQL")
	check(err)
	fmt.Println(answer.Question, answer.Answer)
	_, err = tree.FinishAction(ctx, "ann", "schema", false)
	check(err)
	questions, err := tree.Questions(ctx)
	check(err)
	fmt.Println(len(questions), "open")
	// Output:
	// waits: true
	// Which database? PostgreSQL
	// 0 open
}

// Constraints hold for the whole project. Notes are things to remember.
func ExampleTree_Constraints() {
	ctx := context.Background()
	tree, remove := shop()
	defer remove()
	_, err := tree.AddConstraint(ctx, forgemind.Constraint{Constraint: "Tokens expire after one hour", Agent: "ann"})
	check(err)
	_, err = tree.AddNote(ctx, forgemind.Note{Note: "The staging keys are rotated on Mondays", Agent: "ann"})
	check(err)

	constraints, err := tree.Constraints(ctx)
	check(err)
	notes, err := tree.Notes(ctx)
	check(err)
	fmt.Println(constraints[0].Constraint)
	fmt.Println(notes[0].Note)
	// Output:
	// Tokens expire after one hour
	// The staging keys are rotated on Mondays
}

// All steps of an update are written at once. UpdateAt makes one only if nobody else
// changed the session since.
func ExampleTree_Update() {
	ctx := context.Background()
	tree, remove := shop()
	defer remove()
	version, err := tree.Update(ctx, "ann", func(e *forgemind.Edit) error {
		goal, err := e.AddGoal(forgemind.Goal{Goal: "Ship the public API"})
		if err != nil {
			return err
		}
		_, err = e.AddAction(forgemind.Action{Action: "Write the docs of " + goal.Goal})
		return err
	})
	check(err)

	note := func(e *forgemind.Edit) error {
		_, err := e.AddNote(forgemind.Note{Note: "The staging keys are rotated on Mondays"})
		return err
	}
	_, err = tree.UpdateAt(ctx, version, "ann", note)
	fmt.Println(err)
	_, err = tree.UpdateAt(ctx, version, "ann", note)
	conflict, ok := errors.AsType[*forgemind.VersionConflictError](err)
	fmt.Println(ok, conflict.Version-conflict.Expected)
	// Output:
	// <nil>
	// true 1
}

// Recover finds by its words what left the conversation.
func ExampleWindow_Recover() {
	ctx := context.Background()
	tree, remove := shop()
	defer remove()

	said := []forgemind.Message{{Role: forgemind.RoleAssistant, Content: "The signing key is in the vault under api/jwt."}}
	for n := range 60 {
		said = append(said, forgemind.Message{Role: forgemind.RoleAssistant, Content: fmt.Sprintf("Test %d of the service passes, and nothing else happened there.", n)})
	}
	_, err := tree.AddMessages(ctx, said...)
	check(err)
	window := tree.Attach(forgemind.Callbacks{})
	_, err = window.Compact(ctx, forgemind.CompactOptions{Strategy: forgemind.StrategyPSD})
	check(err)
	found, err := window.Recover(ctx, "where is the signing key?", 1)
	check(err)
	for _, f := range found {
		fmt.Println(f.Content)
	}
	// Output:
	// The signing key is in the vault under api/jwt.
}

// Health reports the usage of the window and the matters that need a person.
func ExampleTree_Health() {
	tree, remove := shop()
	defer remove()
	health, err := tree.Health(context.Background())
	check(err)
	fmt.Println(health.Status == forgemind.HealthOK, health.Decisions)
	// Output: true 0
}
