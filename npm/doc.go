// Package npm holds the test that lets clients written in TypeScript speak to
// `forgemind mcp`:
//
//	go test -count=1 ./npm
//
// It builds forgemind, and needs node, npm and a registry that npm reaches.
// Without node or npm it is skipped and says so.
package npm
