// Package mcp offers a tree as tools, resources and prompts of the Model Context
// Protocol, on standard input and output.
//
// [Serve] answers one client, in both eras of the protocol: the one that begins
// with a handshake, and the one whose every request stands for itself.
//
// # Promises
//
//   - The tools, their names and what is said of them are the same whatever the
//     tree holds: nothing that a tree says becomes a description.
//   - Without AllowWrites no tool is offered that changes a document, so that a
//     client may let all be called without asking a person; who calls one all the
//     same is told why it does nothing. Only derived indexes are written.
//   - A result has 10,000 characters at most, its text and its structured content
//     together; the brief and the assembled context have them in each of the two. What
//     was cut says so, and how to get the rest.
//   - What a terminal would obey, or hide, is spelled out in every result, and so
//     are the tags in which agents set what they are told. Text of several lines is
//     set in: none of them can be taken for one of the answer's own.
//   - A decision that holds no more says so wherever it is shown, also in texts that
//     were written while it held.
//   - Each id that a tool gives recover takes, but for those of sessions, which
//     session_list takes, and of findings.
//   - A message that is no message is answered, and the next one is read.
//   - The tree is looked for and opened anew for each request: one that is made
//     or replaced while the server runs is found.
//
// # Limits
//
//   - Some clients show their model the text of a result, some its structured content,
//     some both. So each of the two says all there is to say, and what is a text of its
//     own (the brief, the assembled context) is the member text of the structured content.
//   - A message of more than 4 MiB is refused.
package mcp
