// Package templates renders documents as markdown for people.
//
// The texts are embedded in the program. The package reads no files, so that a tree
// cannot change them.
package templates
