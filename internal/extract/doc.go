// Package extract finds in a message what it names, what it decides, what was
// done, and how much it matters.
//
// It is pure, and works by rules and lists alone: the same text gives the same
// answer, without a model or a connection. A wrong answer is worse than a
// missing one: the rules ask for more than a person would to be sure, and what
// they miss can be said by a command, or listed in config.json under entities
// and agents.decision_phrases. They know English best, and of German and Chinese
// what is said most.
//
// Whatever the text, the time taken is in proportion to its length, and what is
// found is bounded.
package extract
