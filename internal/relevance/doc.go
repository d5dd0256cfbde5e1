// Package relevance scores a chunk against a prompt.
//
// Texts are compared by their Terms. A term that few texts have counts for more,
// its repetition for less and less, and a text that is longer than a turn of a
// conversation must say more. A text gains by what stands beside it, for the answer
// to a question seldom repeats its words, and by the session that it is of.
//
// An Index holds what that takes in a form that can be kept in a file and searched
// as it lies there; it is believed in nothing, for the file may be damaged or made
// by somebody else.
package relevance
