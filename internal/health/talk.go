package health

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/tokens"
)

// Talk is what the live conversation costs just now; without messages where
// there is none. It is what was counted when it was last written to. A file that
// others wrote to since is read; messages that nobody counted are estimated by
// their length, for the tokenizer takes longer to get ready than all the rest.
func Talk(tree *fs.Tree) session.Tally {
	t, ok := session.ReadTally(tree)
	if !ok {
		t = recount(tree)
	}
	return t
}

// recount counts the live conversation, and keeps the figures where nothing of
// them is estimated. A conversation that cannot be read counts as none.
func recount(tree *fs.Tree) session.Tally {
	name, err := session.LiveName(tree)
	if err != nil {
		return session.Tally{}
	}
	estimate, err := tokens.New("chars4")
	if err != nil {
		return session.Tally{}
	}
	estimated := false
	t, err := session.Recount(tree, name, func(text string) int {
		estimated = true
		return estimate.Count(text)
	}, tokens.Default)
	if err != nil {
		return session.Tally{}
	}
	if !estimated {
		_ = t.KeepIn(tree) // the next look is quicker for it; a tree that cannot be written does without
	}
	return t
}
