package forgemind_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/forgemind/forgemind"
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/state"
)

// exampleTree is a project directory as `forgemind init` makes it, in short.
func exampleTree() (root string, remove func()) {
	root, err := os.MkdirTemp("", "forgemind-example-")
	if err == nil {
		err = os.MkdirAll(filepath.Join(root, filepath.Dir(fs.State)), 0o755)
	}
	var text []byte
	if err == nil {
		text, err = state.New("orchard", "session-2026-03-02-aaaaaa", start)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(root, fs.State), text, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
	return root, func() { os.RemoveAll(root) }
}

// The quick test: a program lends its window, is told when it fills, and gets it
// back shorter.
func Example() {
	root, remove := exampleTree()
	defer remove()
	ctx := context.Background()

	tree, err := forgemind.Open(root)
	if err != nil {
		log.Fatal(err)
	}
	defer tree.Close()

	talk := []forgemind.Message{} // the agent's own
	for n := range 40 {
		talk = append(talk, forgemind.Message{Role: "assistant", Content: fmt.Sprintf("Row %d: mortar, stones, a dry week before the frost comes.", n)})
	}
	talk = append(talk, forgemind.Message{Role: "user", Content: "Which pears keep best?"})
	tokens := 61_000

	window := tree.Attach(forgemind.Callbacks{
		GetContext:  func(context.Context) (string, error) { return "…", nil },
		CountTokens: func(context.Context) (int, error) { return tokens, nil },
		Messages:    func(_ context.Context, n int) ([]forgemind.Message, error) { return talk[max(0, len(talk)-n):], nil },
		SetContext: func(_ context.Context, c forgemind.Context) error {
			talk, tokens = c.Messages, c.Tokens
			return nil
		},
	})

	status, err := window.BeforeResponse(ctx, 100_000)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d of %d tokens, %d messages taken in\n", status.Tokens, status.Limit, status.Added)
	if status.NeedsCompaction {
		done, err := window.Compact(ctx, forgemind.CompactOptions{Budget: 300})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("within the budget:", done.TokensAfter <= 300)
	}
	fmt.Println("the question is there:", talk[len(talk)-1].Content)

	ended, err := window.SessionEnd(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("ended", ended.Session)
	// Output:
	// 61000 of 100000 tokens, 41 messages taken in
	// within the budget: true
	// the question is there: Which pears keep best?
	// ended session-2026-03-02-aaaaaa
}

// What left the conversation is found by what it says.
func ExampleWindow_Recover() {
	root, remove := exampleTree()
	defer remove()
	ctx := context.Background()
	tree, err := forgemind.Open(root)
	if err != nil {
		log.Fatal(err)
	}
	defer tree.Close()

	said := []forgemind.Message{{Role: "assistant", Content: "The mortar takes three parts of sand and one of lime."}}
	for n := range 60 {
		said = append(said, forgemind.Message{Role: "assistant", Content: fmt.Sprintf("Row %d of the orchard is done, and nothing happened there.", n)})
	}
	if _, err := tree.AddMessages(ctx, said...); err != nil {
		log.Fatal(err)
	}
	window := tree.Attach(forgemind.Callbacks{})
	if _, err := window.Compact(ctx, forgemind.CompactOptions{Strategy: "psd"}); err != nil {
		log.Fatal(err)
	}
	found, err := window.Recover(ctx, "how much sand for the mortar?", 1)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range found {
		fmt.Println(f.Content)
	}
	// Output:
	// The mortar takes three parts of sand and one of lime.
}

// A decision is recorded once; another one supersedes it.
func ExampleTree_AddDecision() {
	root, remove := exampleTree()
	defer remove()
	ctx := context.Background()
	tree, err := forgemind.Open(root)
	if err != nil {
		log.Fatal(err)
	}
	defer tree.Close()

	first, err := tree.AddDecision(ctx, forgemind.Decision{Decision: "Plant pears", Rationale: "They keep"}, "")
	if err != nil {
		log.Fatal(err)
	}
	if _, err := tree.AddDecision(ctx, forgemind.Decision{Decision: "Plant Conference", Supersedes: []string{first.ID}}, ""); err != nil {
		log.Fatal(err)
	}
	_, err = tree.AddDecision(ctx, forgemind.Decision{Decision: "Plant apples", Supersedes: []string{first.ID}}, "")
	var superseded *forgemind.Superseded
	if errors.As(err, &superseded) {
		fmt.Println("superseded already:", strings.HasPrefix(superseded.By, "DEC-"))
	}
	all, err := tree.Decisions(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range all {
		fmt.Println(d.Decision)
	}
	// Output:
	// superseded already: true
	// Plant pears
	// Plant Conference
}
