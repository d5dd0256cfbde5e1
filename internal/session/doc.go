// Package session stores conversations in .quaid and messages.jsonl: the files of each session, the
// id of the active session, the index of all sessions, and the live conversation, to which messages
// are added and which compactions shorten.
//
// # Promises
//
//   - Every line of a conversation is kept. A line that is no message (incomplete,
//     blank, or from another tool) keeps its bytes.
//   - No added message has a secret of a known form; see [secret.Mask].
//   - Adding a message that is there already adds nothing.
//   - Undoing a compaction restores every byte, unless somebody edited the lines that
//     it kept.
//
// # Limits
//
//   - Transcripts of other tools are read in their known formats, which change
//     between versions. A line that cannot be read is a Fault, and reading continues.
package session
