// Package watch says which names changed, once they are quiet.
//
// A [Watcher] listens to the directories of a tree's two folders and gives
// [Batch]es. It creates, writes and deletes nothing.
//
// It promises that
//   - a change of a document's content that lasts is in a Batch, at least once:
//     whether it came by a write, a rename, a new directory, a directory moved
//     in, or while so much happened that the system dropped notifications;
//   - a document that was only touched, or that holds again what it held, is in
//     none, as far as its content is known;
//   - a name that is gone, or empty, is given only after a second look, for
//     editors rename, truncate and then write;
//   - while nothing happens nothing runs, but for a look at everything every
//     five minutes.
//
// Its limits: where the system has no notifications to give (too many watches,
// a network file system) it looks every two seconds instead, and [Watcher.Mode]
// says why. Files over 1 MiB are told apart by size, time and inode only.
// Several changes of a document at short intervals are one, and of a document
// that comes and goes between two looks nothing is told.
package watch
