// Package lsp is a language server for the documents of trees: it shows editors what
// validate finds while people type, explains documents, completes them, and finds the
// records that they name.
//
// [Serve] serves one editor on a pair of streams, by version 3.17 of the Language Server
// Protocol. A document is a file below `.forgemind/` or `.quaid/`; other files are
// ignored. Each document belongs to the tree of its path, so one server serves all trees
// of an editor.
//
// # Promises
//
//   - Findings are those of package validate. Unsaved text takes the place of the
//     file, also for the rules that compare documents with each other.
//   - Findings of an older text never replace those of a newer one.
//   - The server writes nothing. A code action is an edit that the editor applies.
//   - A malformed message gets an answer, and the next one is read. A panic ends one
//     request, not the server.
//   - Text of a tree is data: in markdown it is escaped, its secrets are masked, and
//     nothing of it is executed.
//
// # Limits
//
//   - A message of more than 64 MiB ends the server. A document of more than 16 MiB
//     is not checked while it is open.
//   - Completion, hover and the list of symbols know records as they were saved.
//   - Documents are not formatted: an edit of forgemind leaves the layout of a
//     document as it is.
package lsp
