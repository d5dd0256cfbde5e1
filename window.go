package forgemind

import (
	"context"

	"github.com/forgemind/forgemind/schema"
)

// A Message is one thing that was said. A program fills in Role (user, assistant,
// tool, system) and Content, and an ID, or a Timestamp in RFC 3339, where it has
// them: a message without either is known by what stands around it.
type Message = schema.Message

// Callbacks are how a program lends its context window. Each may be nil; what it
// would have given is not there then. An error of one is returned with its name.
// They are called one at a time and must not call the Window.
type Callbacks struct {
	// GetContext returns what the window holds now, as text. It is asked where
	// CountTokens is nil, and counted by the tree's counter.
	GetContext func(ctx context.Context) (string, error)
	// SetContext takes what the window is to hold from now on of the conversation;
	// what else is in the window, such as a system prompt, is the program's to put
	// before it.
	SetContext func(ctx context.Context, c Context) error
	// CountTokens returns how many tokens the window holds now.
	CountTokens func(ctx context.Context) (int, error)
	// Messages returns the last n messages, the oldest first; fewer where there
	// are no more.
	Messages func(ctx context.Context, n int) ([]Message, error)
}

// A Context is the conversation as a context window is to hold it.
type Context struct {
	Text     string    // all of it, as Sanitize returns it: the summary of what left, then what was said
	Messages []Message // the same one by one, word for word; the summary is one of kind "summary"
	Tokens   int       // of Text, by the tree's counter
}

// A Window is the context window of a program, watched by a Tree.
type Window struct {
	tree *Tree
	with Callbacks
	turn chan struct{} // holds one token: whose turn it is

	known  readings
	handed string // version of the conversation that the program has
	begun  bool   // handed is known
	talk   *talk  // what the program's window holds of a session; nil: the conversation belongs to none
	limit  int    // tokens, as BeforeResponse was told; 0: it was not
	others int    // tokens that the window held then beside the messages of the conversation
	beside int    // and beside the text of the conversation, which names who speaks
}

// Attach lets a program's context window be watched. A Window has nothing to
// close.
func (t *Tree) Attach(with Callbacks) *Window {
	w := &Window{tree: t, with: with, turn: make(chan struct{}, 1)}
	w.turn <- struct{}{}
	return w
}

// alone runs do while nobody else uses the Window.
func (w *Window) alone(ctx context.Context, do func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-w.turn:
	}
	defer func() { w.turn <- struct{}{} }()
	return do()
}
