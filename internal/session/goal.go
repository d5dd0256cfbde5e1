package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/text"
)

// The statuses of a goal.
const (
	Pending    = "pending"
	InProgress = "in-progress"
	Complete   = "complete"
)

// The priorities of a goal.
const (
	High   = "high"
	Medium = "medium"
	Low    = "low"
)

var (
	// ErrComplete reports that a change would set the status of a goal to complete. Use
	// CompleteGoal, which removes it from the list.
	ErrComplete = errors.New("a goal that is complete leaves the list: complete it")
	// ErrCircle reports that a goal would become a part of itself.
	ErrCircle = errors.New("a goal cannot be a part of itself")
)

// A GoalChange holds new values for a goal. Nil changes nothing. An empty Parent means that the
// goal is a part of no other.
type GoalChange struct{ Goal, Status, Priority, Parent *string }

// Check returns an error if a value of the change is not allowed, or if it would complete the goal;
// see ErrComplete.
func (c GoalChange) Check() error {
	for _, field := range []struct {
		what  string
		value *string
		words []string
	}{
		{"status", c.Status, []string{Pending, InProgress, Complete}},
		{"priority", c.Priority, priorities},
	} {
		if field.value != nil && !slices.Contains(field.words, *field.value) {
			return fmt.Errorf("the %s is %s, not one of %s", field.what, text.Quote(*field.value, maxQuoted), strings.Join(field.words, ", "))
		}
	}
	switch {
	case c.Status != nil && *c.Status == Complete:
		return ErrComplete
	case c.Goal != nil && strings.TrimSpace(*c.Goal) == "":
		return errors.New("the goal is empty")
	}
	return nil
}
