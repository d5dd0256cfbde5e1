package health

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/tokens"
)

// Talk returns the tokens and the messages of the live conversation; zero if there is
// none. It uses the counts of the last write. It reads a file that other programs
// changed since; messages without a count are estimated by their length, because
// loading the tokenizer takes longer than everything else.
func Talk(tree *fs.Tree) session.Tally {
	t, ok := session.ReadTally(tree)
	if !ok {
		t = recount(tree)
	}
	return t
}

// recount counts the live conversation, and stores the counts if none of them is
// estimated. A conversation that cannot be read counts as empty.
func recount(tree *fs.Tree) session.Tally {
	name, err := session.Conversation(tree)
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
		_ = t.KeepIn(tree) // makes the next call faster; not needed where nothing can be written
	}
	return t
}
