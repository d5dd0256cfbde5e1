// Package fs reads and writes the files of a tree. No other package accesses the disk.
//
// A [Tree] is a project directory that contains `.forgemind/`, `.quaid/` or both.
// Its documents are addressed by Name: a slash-separated path relative to the
// project directory. [Tree.Update], [Tree.Append] and [Tree.Transaction] lock,
// read, edit, check and replace, in that order.
//
// # Promises
//
//   - A reader takes no lock and never sees half a file, because a document is
//     replaced as a whole. Reading works where nothing can be written.
//   - A transaction is on disk when it returns: every file and directory that it
//     changed was synced before.
//   - If a transaction of several names is killed, the next transaction finishes
//     it, or it has changed nothing.
//   - Bytes that other programs wrote are not destroyed. Replaced bytes are kept in
//     `.local/displaced/` for some time, removed ones in `.local/trash/`. Torn
//     ends of files, saves that could not be merged and the bytes given to
//     [Tx.Keep] go to `.local/attic/`, and stay until the user drops them.
//     [Tree.Attic] lists all of them.
//   - A copy outside of the tree (see [CopyDir]) is at any moment the whole file or
//     the beginning of it. Links in the directory of copies are not followed.
//   - No name leads out of the project directory: no `..`, no links, no devices.
//
// # Limits
//
//   - Locks have no effect on programs that do not take them, such as editors. The
//     saves of an editor are noticed, merged by running the edit again, or kept aside.
//   - An editor that saves a JSONL file while a record is being appended can
//     overwrite that record, because appending displaces no bytes to compare.
//   - Where the system cannot exchange two files (Windows, some network file
//     systems), a save between the last check and the rename is lost: only the
//     bytes seen by that check are kept in `.local/displaced/`.
//   - Windows cannot sync directories.
package fs
