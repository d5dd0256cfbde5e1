package engine

import "github.com/forgemind/forgemind/fs"

// A Fired is a firing with the results of its actions.
type Fired struct {
	Trigger string
	Reason  string // what changed, for people
	Actions []Acted
}

// An Acted is one action of a firing.
type Acted struct {
	Action string
	Wrote  []string // names it changed; empty if its effect was there already
	Built  bool     // false: nothing was done; see Unbuilt
	Err    error    // why it failed; its writes were undone
}

// Unbuilt returns, in words, the reason why an action that is not Built did nothing.
func (a Acted) Unbuilt() string { return "there is no such action; nothing was done" }

// An Outcome is the result of one transaction.
type Outcome struct {
	Changes []fs.Change // what was published, except `.local/`
	Fired   []Fired
	Adopted []string // ids of decisions that were added to the Ledger from a view
	Notes   []string // messages for people, such as about an unreadable configuration
	Version int      // present version of the active session's hot context; 0 if none is active
	Local   bool     // git ignores the views of the tree: each working copy renders its own
}

// Failed returns the actions that failed.
func (o Outcome) Failed() (all []Acted) {
	for _, f := range o.Fired {
		for _, a := range f.Actions {
			if a.Err != nil {
				all = append(all, a)
			}
		}
	}
	return all
}
