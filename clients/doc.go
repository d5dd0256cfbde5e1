// Package clients holds the tests that play a story in the agents' own clients:
//
//	go test -tags clients -count=1 -timeout 30m -v ./clients
//
// Each client is installed from npm at a fixed version, below a temporary folder, with a home of
// its own. It runs headless, with the hooks that `forgemind hook install` writes. A model that
// answers as the story says stands in for the real one. It is the clients' proxy as well, and
// refuses what they ask it of other hosts; opencode reaches registry.npmjs.org, for its own package.
//
// A newer version of one is tried with
//
//	go test -tags clients -count=1 -v -run TestCodex ./clients -version latest
//
// The tests need git, npm and a registry that npm reaches. Where it reaches none, they are skipped
// and say so.
package clients
