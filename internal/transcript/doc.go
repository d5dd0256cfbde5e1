// Package transcript reads the conversations that other programs store: transcripts of coding agents
// (Claude Code, Codex, Copilot, Cursor, Gemini CLI, SWE-agent, SpecStory), chats as lists of {role,
// content}, forgemind's own messages, and exports of chats (Discord, Slack, IRC). It takes bytes and
// returns messages; session and condense store them.
//
// # Promises
//
//   - The package is pure: it reads no file and no clock.
//   - The same bytes give the same messages with the same ids. A longer transcript
//     or export gives the messages of the shorter one again.
//   - A place that cannot be read is a [Fault]; everything else is read.
//   - The time that reading takes grows linearly with the text.
//
// # Limits
//
//   - Formats are recognized by their known members. They change between versions
//     of the tools; records of unknown kinds are counted in Transcript.Unknown.
//   - Messages may have secrets. The caller that stores them masks them.
package transcript
