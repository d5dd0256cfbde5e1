// Package assemble assembles the context of a prompt within a budget.
//
// It is pure: it takes the records and a budget, and returns a text. The same input gives the
// same bytes.
//
// # Promises
//
//   - Constraints, decisions, goals and the rest of the hot context are never
//     cut: a budget that cannot hold them is an error.
//   - The text never takes more than the budget, by the given counter.
//   - Its beginning (constraints, decisions, dead ends, summary) depends on these and
//     on the budget alone, so that a prompt cache is valid until they change.
//   - Messages are quoted word for word, or left out. No text
//     can end the quotation, or look like a message or a part of its own. Tags and
//     escape sequences are spelled out, in all of the text; see sanitize.Text.
//
// # Limits
//
//   - A summary that is too long for its share is cut after a line.
//   - Line endings of quoted texts become line feeds, and their further lines are
//     indented by a space.
package assemble
