// Package query answers questions about a tree: what agents and people should know, as a
// brief, as the context of a prompt or as a load layer; a search; one thing with its changes
// and references; what happened; what governs a file; what is stale. It writes nothing but
// derived indexes.
package query
