// Package forgemind is the Go API for programs that embed it.
//
// A Tree is a project directory that holds `.forgemind/`, `.quaid/` or both, open
// for changing. [Init] makes one, [Open] finds one. Every change is validated before it
// is written, fires triggers, and is published as a whole or not at all.
//
// # Records
//
// Each kind of record has methods that add, change and list it, such as
// [Tree.AddGoal], [Tree.UpdateGoal] and [Tree.Goals]. [Tree.Update] makes several
// changes at once. [Tree.Brief] returns the facts that an agent needs at the start of a
// session, [Tree.Context] builds the context for a prompt within a budget of tokens,
// [Tree.Search] searches the records and conversations.
//
// # A context window
//
// A program gives access to its context window by four functions, all of them
// optional. The tree reports the usage of the window, shortens its conversation, and
// recovers messages that left it:
//
//	tree, err := forgemind.Open(".")
//	if err != nil {
//		return err
//	}
//	defer tree.Close()
//	window := tree.Attach(forgemind.Callbacks{
//		GetContext:  agent.Context,        // the content of the window, as text
//		SetContext:  agent.ReplaceContext, // replaces the content
//		CountTokens: agent.Tokens,         // the tokens in the window
//		Messages:    agent.LastMessages,   // the last n messages
//	})
//
//	status, err := window.BeforeResponse(ctx, 100_000)
//	if err != nil {
//		return err
//	}
//	if status.NeedsCompaction {
//		if _, err := window.Compact(ctx, forgemind.CompactOptions{}); err != nil {
//			return err
//		}
//	}
//	…                                         // the response
//	if status.NeedsCuration {
//		if _, err := window.Curate(ctx, ""); err != nil {
//			return err
//		}
//	}
//	…
//	ended, err := window.SessionEnd(ctx)
//
// Messages are identified by their id, else by their time and words, else by the
// messages around them. So a program that has only roles and texts may return the
// whole window each time.
//
// Each message is added to the tree's conversation once. A compaction moves messages
// to the tree's cold storage, where [Tree.Recover] and `forgemind recover` find them.
// Programs and commands work on the same tree in turn.
//
// # Promises
//
//   - All methods may be called from several goroutines, and by several processes
//     at once. Callbacks of one Window are called one at a time.
//   - A method that fails because its context is done has made all of its changes in
//     the tree, or none.
//   - The user's own configuration is not read: no program is run and no server is
//     asked unless an Option sets one.
package forgemind
