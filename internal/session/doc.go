// Package session is conversations, in .quaid or messages.jsonl: the files of
// one session, which is active, the index of all, and the live conversation,
// which messages are added to and compactions cut short.
//
// # Promises
//
//   - Whatever a conversation's file holds survives: a line that is no message
//     (torn, blank, of another tool) is passed along byte for byte.
//   - Nothing that is added holds a secret of a well-known shape; see [secret.Mask].
//   - Adding what is there already adds nothing.
//   - A compaction can be taken back to the byte, as long as nobody edits what
//     it kept.
package session
