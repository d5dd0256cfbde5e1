// Package relevance scores a chunk against a prompt.
//
// Texts are compared by their Terms, and scored by BM25: a term that few texts
// have counts for more, its repetition for less and less, and a long text must
// say more than a short one. An Index holds what that takes in a form that can
// be kept in a file and searched as it lies there; it is believed in nothing,
// for the file may be damaged or made by somebody else.
package relevance
