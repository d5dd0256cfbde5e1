// Package dash shows a tree as a local web page.
//
// A [Server] answers on this machine only, to those who know the token that
// stands in its address. It has the page, which needs nothing from elsewhere, the
// same data as JSON below /api/, and a stream of events that says what changed.
//
// It promises that
//   - nothing that can be asked of it changes a document;
//   - a request without the token, or with the Host or the Origin of somebody
//     else, gets 403 whatever it asks for;
//   - a client that does not send what it announces, or does not read its answer,
//     holds its connection for seconds only;
//   - what a tree holds is shown as text and never becomes markup, a link out of
//     the page, or a script.
//
// Its limits: whoever can read the memory or the terminal of the person who
// started it has the token; and of a text longer than 64 KiB the page shows the
// beginning.
package dash
