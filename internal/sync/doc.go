// Package sync exchanges the files of a tree with a branch of a git remote, so that machines
// that do not commit the context with the code have the same one.
//
// A tree is a set of files that are written once, and of few files that people edit. Two trees are
// merged by having the files of both. A file that both sides edited is merged member by member if it
// is JSON. See [plan] for the rules.
//
// # Promises
//
//   - A sync never removes a file and never changes a record, here or on the remote. A
//     remote that was emptied or rewritten gets everything back.
//   - What arrives is validated like any file of a stranger. What is refused is quarantined: it stays
//     on the remote, and a copy is in the attic.
//   - A file in which the rule secret finds something stays at home, and so does a file over the
//     limit.
//   - The user's repository, its index and its refs are never changed. The store is a bare
//     repository in the user's state folder, where no clone and no archive can put one.
//
// # Limits
//
//   - Conversations, views and `.local/` are of one working copy and stay at home.
//   - Removing a file that people edit, such as a condensation, is not carried over.
package sync
