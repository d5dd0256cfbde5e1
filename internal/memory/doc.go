// Package memory is agents' notes: sections of markdown files.
//
// An entry that forgemind writes is a record, see [Records]; the markdown shows it. The
// markdown is a file that people write too: an entry changes the section that it goes
// to, and every other byte stays as its author had it.
package memory
