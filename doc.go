// Package forgemind is the Go API for programs that embed it.
//
// A Tree is a project directory that holds `.forgemind/`, `.quaid/` or both, open
// for changing. Every change is judged before it is written, fires the triggers
// that it fires, and is published as a whole or not at all.
//
// # A context window
//
// An agent lends its context window by four functions, all of them optional, and
// is told when it fills, gets it back shorter, and finds again what left it:
//
//	tree, err := forgemind.Open(".")
//	if err != nil {
//		return err
//	}
//	defer tree.Close()
//	window := tree.Attach(forgemind.Callbacks{
//		GetContext:  agent.Context,        // what the window holds now, as text
//		SetContext:  agent.ReplaceContext, // takes what it is to hold from now on
//		CountTokens: agent.Tokens,         // what the window costs now
//		Messages:    agent.LastMessages,   // what was said, the last n
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
// Messages are known by their id, else by their time and words; those without
// either by what stands around them, so that a program that has only roles and
// texts may give them as they are, the whole window at each time.
//
// What was said is taken into the tree's conversation, each message once. What a
// compaction takes out of it is in the tree's cold storage, where Recover finds
// it, and `forgemind recover` as well: whatever a program does here, the commands
// go on from there.
//
// # Promises
//
//   - All methods may be called from several goroutines, and by several processes
//     at once. Callbacks of one Window are called one at a time.
//   - A method that fails because its context is done has changed nothing, or all
//     that it was to change in the tree.
//   - Nothing of the user's own configuration is read: no program is run and no
//     server asked unless an Option says so.
package forgemind
