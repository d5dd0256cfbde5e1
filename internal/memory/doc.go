// Package memory reads and writes agents' notes, which are sections of markdown files.
//
// An entry that forgemind writes is a record, see [Records], and the markdown shows it. People
// write the markdown too. A new entry changes only its section; every other byte stays as its
// author wrote it.
package memory
