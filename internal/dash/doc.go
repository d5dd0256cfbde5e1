// Package dash shows a tree as a local web page.
//
// A [Server] answers on this machine only, and only requests with the token in its address. It
// serves the page, which loads nothing from elsewhere, the same data as JSON below /api/, and a
// stream of events about changes.
//
// # Promises
//
//   - No request changes a document.
//   - A request without the token, or with the Host or the Origin of another site,
//     gets status 403.
//   - A client that does not send what it announces, or does not read its answer,
//     keeps its connection for seconds only.
//   - Texts of a tree are shown as text and never become markup, links out of the
//     page, or scripts.
//
// # Limits
//
//   - Whoever can read the memory or the terminal of the user who started the server
//     has the token.
//   - Of a text longer than 64 KiB the page shows the beginning.
package dash
