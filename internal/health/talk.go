package health

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/tokens"
)

// Silent is what a conversation costs that is none, or that would take too long
// to read: the State's word for it stands.
const Silent = -1

// Talk is what the live conversation costs just now, in tokens, or Silent. It
// is what was counted when it was last written to; a file that others wrote to
// since is read where it is not long, and what nobody counted is estimated by
// its length: the tokenizer itself takes longer to get ready than all the rest.
func Talk(tree *fs.Tree) int {
	const long = 4 << 20 // bytes
	t, ok := session.ReadTally(tree)
	if !ok {
		name, err := session.Conversation(tree)
		if err != nil {
			return Silent
		}
		if is, err := tree.Look(name); err != nil || is.Size() > long {
			return Silent
		}
		src, err := tree.Read(name)
		if err != nil {
			return Silent
		}
		estimate, err := tokens.New("chars4")
		if err != nil {
			return Silent
		}
		t = session.Count(name, src, estimate.Count, tokens.Default)
	}
	if t.Messages == 0 {
		return Silent
	}
	return t.Tokens
}
