// Package sanitize makes untrusted text safe for an agent and for a terminal.
//
// A tree contains text from many sources: users, agents, tools, the web. Clients of
// agents use tags and tokens to separate the parts of a prompt, and a terminal
// interprets escape sequences. [Text] makes sure that quoted text is taken for
// neither. Everything that passes text of a tree to an agent calls it.
//
// # Promises
//
//   - No tag, no end of a comment and no token of a chat template remains, in upper or
//     lower case, with or without spaces.
//   - Characters that a terminal interprets or hides are replaced by escapes.
//   - Nothing is lost: a reader sees which characters were there.
//   - Applying it twice is the same as applying it once.
//
// # Limits
//
// It checks the form of a text, not its meaning. "Ignore your instructions" remains,
// so callers also mark quoted text as data.
package sanitize
