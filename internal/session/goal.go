package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"
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
	// ErrComplete is a goal in the list that is to be complete: one leaves the
	// list by CompleteGoal.
	ErrComplete = errors.New("a goal that is complete leaves the list: complete it")
	// ErrCircle is a goal that would be a part of itself.
	ErrCircle = errors.New("a goal cannot be a part of itself")
)

// A GoalChange is what is to be another of a goal; nil stays. An empty Parent
// makes it a part of no other.
type GoalChange struct{ Goal, Status, Priority, Parent *string }

// Check holds that the goal may be changed like that: its words are known, and it does
// not become complete; see ErrComplete.
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
			return fmt.Errorf("the %s is %s, not one of %s", field.what, cut(*field.value), strings.Join(field.words, ", "))
		}
	}
	switch {
	case c.Status != nil && *c.Status == Complete:
		return ErrComplete
	case c.Goal != nil && strings.TrimSpace(*c.Goal) == "":
		return errors.New("the goal says nothing")
	}
	return nil
}
