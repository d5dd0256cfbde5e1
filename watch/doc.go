// Package watch reports which names of a tree changed, once they are quiet.
//
// A [Watcher] watches the directories of a tree's two folders and sends [Batch]es.
// It creates, writes and deletes nothing.
//
// # Promises
//
//   - Each lasting change of a document's content is in at least one Batch, whether
//     it came by a write, a rename, a new directory, a directory moved in, or while
//     the system dropped notifications.
//   - A document that was only touched, or that has its former content again, is in
//     no Batch, as far as its content is known.
//   - A missing or empty name is checked a second time before it is reported,
//     because editors rename, truncate and then write.
//   - Without changes nothing runs except a scan every five minutes.
//
// # Limits
//
// Where the system has no notifications (too many watches, a network file system),
// the Watcher scans every two seconds, and [Watcher.Mode] returns the reason. Files
// over 1 MiB are compared by size, time and inode only. Several changes of a document
// at short intervals are reported as one. A document that comes and goes between two
// checks is not reported.
package watch
