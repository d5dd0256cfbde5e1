// Package copies keeps a copy of the files that git ignores and that cannot be made again:
// conversations, session summaries and cold storage. `git clean -fdX` removes these files, and so
// does a checkout of a branch that tracks them.
//
// The copies of a tree are in a folder of the user, one for each project and path:
// $XDG_STATE_HOME/forgemind/NAME-HASH. A clone at another path has its own folder.
//
// # Promises
//
//   - A file that disappears from the tree stays in the copy, unless a command of
//     forgemind removed it; see [Forget].
//   - Restoring overwrites nothing. It brings back missing files, and the end of JSONL
//     files of which the tree has the beginning.
//   - Only the user can read the copies.
//
// # Limits
//
//   - Messages that were added after the last compaction or session end are not copied.
//   - Logs, views and `.local/` are not copied.
package copies
