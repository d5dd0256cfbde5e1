// Package remote sends requests to a server that the user's own configuration names.
//
// # Promises
//
//   - Nothing in a tree chooses the server. An Endpoint comes from the user's
//     configuration only.
//   - The API key is sent to the configured host only. No message and no redirect
//     contains it.
//   - The size of an answer is limited here. The context of the caller limits the
//     time.
package remote
