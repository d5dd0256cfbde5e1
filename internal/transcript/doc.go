// Package transcript reads the conversations that agents' clients write down, and exports
// of chats: messages with their time, speaker and place, and what the client says of its
// own cost. It knows each format by the kinds of its records. What is damaged is a Fault
// with its line; the rest is read.
package transcript
