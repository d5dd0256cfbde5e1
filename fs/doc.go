// Package fs is the only door to the disk.
//
// A [Tree] is a project directory that holds `.forgemind/`, `.quaid/` or both.
// Its documents are addressed by Name: a slash-separated path relative to the
// project directory. [Tree.Update], [Tree.Append] and [Tree.Transaction] lock,
// read, edit, check and replace, in that order; nobody else writes.
//
// # Promises
//
//   - A reader never locks and never sees half a file: a document is replaced
//     as a whole. Reading works where nothing can be written.
//   - What a transaction reported as done is on disk: every file and directory
//     it touched was synced before.
//   - Killed at any moment, a transaction of several names is either finished
//     by the next one or was never begun.
//   - Bytes of others are not destroyed. What a replace displaced is kept in
//     `.local/displaced/` for a while, what was removed in `.local/trash/`, torn
//     tails and saves that could not be merged in `.local/recovered/`, the last
//     two with an [Incident].
//   - Transactions that wait for the lock get it in the order in which they began.
//   - No name leads out of the project directory: no `..`, no links, no devices.
//
// # Limits
//
//   - Locks bind those who take them. An editor takes none; its saves are
//     noticed, merged by running the edit again, or kept aside.
//   - An editor that saves a JSONL file while a record is being appended can
//     overwrite that record: appending displaces nothing that could be compared.
//   - Where the system cannot exchange two files (Windows, some network file
//     systems) a save that falls between the last look and the rename is lost to
//     the ring: only the bytes seen at that look are kept.
//   - Windows knows no sync of directories.
package fs
