// Package templates turns a document into the markdown people read.
//
// The texts are embedded in the program; nothing is read from disk and nothing
// in a tree can add to them.
package templates
