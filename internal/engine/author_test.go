package engine_test

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"testing"
	"time"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/schema"
)

// A change whose author is not known is refused as a whole. The next one asks for
// the author again.
func TestAChangeWithoutAnAuthorIsRefused(t *testing.T) {
	t.Parallel()
	h := converse(t)
	before := h.files()
	broken, name := errors.New("too many open files"), ""
	tree, err := engine.Open(h.root, engine.Edge{Now: time.Now, Random: rand.Reader, Author: func(string) (string, error) {
		if name == "" {
			return "", broken
		}
		return name, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	if _, _, err := operation.AddGoal(context.Background(), tree, schema.Goal{Goal: "Ship it"}); !errors.Is(err, broken) {
		t.Errorf("without an author: %v", err)
	}
	if now := h.files(); !maps.Equal(now, before) {
		t.Errorf("the refused change left %v", now)
	}
	if goal, _, err := operation.AddGoal(context.Background(), tree, schema.Goal{Goal: "Ship it", Agent: "ben"}); goal.Agent != "ben" || err != nil {
		t.Errorf("with an agent: %+v, %v", goal, err)
	}
	name = "Ann"
	if goal, _, err := operation.AddGoal(context.Background(), tree, schema.Goal{Goal: "Sell it"}); goal.Agent != "Ann" || err != nil {
		t.Errorf("once the author is known: %+v, %v", goal, err)
	}
}
