// Package mcp offers a tree as tools, resources and prompts of the Model Context Protocol on
// standard input and output.
//
// [Serve] serves one client. It supports both versions of the protocol: the one that begins with a
// handshake, and the one in which each request is independent.
//
// # Promises
//
//   - The tools, their names and descriptions do not depend on the tree. No text of
//     a tree becomes a description.
//   - Without AllowWrites no tool is offered that changes a document, so that a client
//     may call all of them without asking a person. A call of another tool returns an
//     error that tells why. Only derived indexes are written.
//   - A result has at most 10,000 characters. A text that was cut ends with a remark
//     about how to get the rest.
//   - Control characters and invisible characters are escaped in every result, and so
//     are the tags that agents put around instructions. Texts of several lines are
//     indented, so that none can be taken for a line of the answer.
//   - A superseded decision is marked wherever it is shown, also in texts that were
//     written before.
//   - The tool recover accepts every id that a tool returns, except those of sessions,
//     which session_list accepts, and of findings.
//   - An invalid message gets an answer, and the next one is read.
//   - Each request finds and opens the tree again, so that a tree that is created or
//     replaced while the server runs is found.
//
// # Limits
//
//   - A client that shows structured content to its model does not show the text
//     beside it. So both have the same contents, and a text of its own (the brief, the
//     assembled context) is returned as text only.
//   - A message of more than 4 MiB is refused.
package mcp
