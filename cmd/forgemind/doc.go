// Forgemind keeps the context of people and agents who work on a project in plain files under
// `.forgemind/` and `.quaid/`. The files stay valid and react to changes.
//
// This package parses flags, prints, and returns exit codes. A [program] holds the streams, the
// clock and the environment, so that a test can run the whole program. The commands are listed in
// groups.go, and each has a file of its own. Other packages do the work.
//
// Exit codes: 0 success; 1 findings of severity error, or a condition that does not hold; 2 wrong
// usage; 3 failure.
package main
