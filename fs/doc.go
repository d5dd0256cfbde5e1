// Package fs is the only door to the disk.
//
// A [Tree] is a project directory that holds `.forgemind/`, `.quaid/` or both.
// Its documents are addressed by Name: a slash-separated path relative to the
// project directory.
package fs
