// Package relevance scores texts, such as chunks, against a prompt.
//
// It compares the Terms of texts by a variant of BM25: a rare term counts more, each
// repetition counts less, and a text that is longer than a turn of a conversation
// needs more terms for the same score. A text gets credit for its neighbors, because
// an answer seldom repeats the words of its question, and for its session.
//
// An Index is a byte format for files that is searched without decoding. The package
// accepts damaged and hostile files: a search ends, and returns only valid texts.
package relevance
