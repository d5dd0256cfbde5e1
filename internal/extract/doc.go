// Package extract finds in a message what it names, what it decides, what was
// done, and how much it matters.
//
// It is pure, and works by rules and lists alone: the same text gives the same
// answer, without a model or a connection.
package extract
