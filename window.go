package forgemind

import "context"

// Callbacks give the tree access to a program's context window. Each may be nil; its value is
// then missing. An error of one is returned with its name. They are called one at a time and
// must not call the Window.
type Callbacks struct {
	// GetContext returns the present content of the window, as text. It is called if CountTokens
	// is nil; the tree's counter counts it.
	GetContext func(ctx context.Context) (string, error)
	// SetContext replaces the conversation in the window. The program adds other content of the
	// window, such as a system prompt, before it.
	SetContext func(ctx context.Context, c Context) error
	// CountTokens returns the number of tokens in the window now.
	CountTokens func(ctx context.Context) (int, error)
	// Messages returns the last n messages, the oldest first; fewer if there are no more.
	Messages func(ctx context.Context, n int) ([]Message, error)
}

// A Context is the conversation for a context window.
type Context struct {
	Text     string    // all of it, sanitized: the summary of the messages that left, then the messages
	Messages []Message // the same messages one by one, unchanged; the summary is one of kind "summary"
	Tokens   int       // of Text, by the tree's counter
}

// A Window is the context window of a program, watched by a Tree.
type Window struct {
	tree *Tree
	with Callbacks
	turn chan struct{} // holds one token; the goroutine that takes it has its turn

	known  readings
	handed string // version of the conversation that the program has
	begun  bool   // handed is known
	talk   *talk  // what the program's window has of a session; nil: the conversation belongs to none
	limit  int    // tokens, from the last BeforeResponse; 0: there was none
	others int    // tokens in the window at that time without the messages of the conversation
	beside int    // and without the text of the conversation, which has the names of speakers
}

// Attach returns a Window for a program's context window. A Window need not be closed.
func (t *Tree) Attach(with Callbacks) *Window {
	w := &Window{tree: t, with: with, turn: make(chan struct{}, 1)}
	w.turn <- struct{}{}
	return w
}

// alone runs do while no other goroutine uses the Window.
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
