// Package sanitize makes stranger's text fit for an agent and for a terminal.
//
// A tree holds what anybody said: users, agents, tools, the web. Agents' clients set
// what they tell a model apart by tags and tokens, and a terminal obeys escape
// sequences. [Text] is the one function that keeps quoted text from being taken for
// either; everything that hands text of a tree to an agent calls it.
//
// It promises that
//   - no tag, no end of a comment and no token of a chat template passes, in whatever
//     case and with whatever blanks;
//   - what a terminal obeys, and what nobody sees, is spelled out;
//   - nothing is lost: a reader sees what was there;
//   - doing it twice is doing it once.
//
// Its limit: it looks at the form, not at the meaning. "Ignore what you were told" passes, so what is
// quoted is also said to be data.
package sanitize
