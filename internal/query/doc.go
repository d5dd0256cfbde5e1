// Package query answers what people and agents ask of a tree: the brief, a context
// assembled for a prompt, what governs a file, what is stale. It writes nothing but
// indexes that can be derived again.
package query
