// Package remote asks a server that the user's own configuration names.
//
// # Promises
//
//   - Nothing of a tree chooses who is asked: an Endpoint comes from the user's
//     configuration alone.
//   - The API key goes to the host that the configuration names, and nowhere else:
//     into no message and no redirect.
//   - What an answer may cost is bounded, in bytes here, and in time by the context
//     of whoever asks.
package remote
