// Package summarizer asks a program or a model of the user's for a summary.
//
// Which one is named in the user's own configuration only, never in a tree.
package summarizer
