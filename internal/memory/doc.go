// Package memory is agents' notes: sections of markdown files.
//
// A note is a file that people write too. An entry changes the section it goes
// to and nothing else: every other byte stays as its author had it.
package memory
