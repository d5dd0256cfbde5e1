// Package relevance scores a chunk against a prompt.
package relevance
