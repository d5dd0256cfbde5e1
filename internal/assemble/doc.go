// Package assemble puts the context of a prompt together, within a budget.
//
// It is pure: what there is and a budget go in, a text comes out, and the same
// input gives the same bytes.
//
// # Promises
//
//   - Constraints, decisions, goals and the rest of the hot context are never
//     cut: what cannot hold them is too small a budget.
//   - The text never takes more than the budget, by the counter that was given.
//   - What it begins with (constraints, decisions, summary) depends on these and
//     on the budget, so that a prompt cache holds while they stand.
//   - What was said stands word for word, or not at all. It is quoted: no text
//     can end the quotation, or look like a message or a part of its own. Tags and
//     escape sequences are spelled out, in all of the text; see sanitize.Text.
//
// # Limits
//
//   - A summary that is too long for its share is cut after a line.
//   - Line endings of what is quoted become line feeds, and its further lines are
//     set in by a space.
package assemble
