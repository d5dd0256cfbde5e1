// Forgemind keeps the context of people and agents who work on a project:
// plain files under `.forgemind/` and `.quaid/` that stay valid and react
// when they change.
//
// This package is flags in, text and an exit code out. A [program] holds the
// streams, the clock and the environment, so that the whole of it runs inside
// a test. Commands stand in one table (app.go), each in a file of its own;
// what they do is done by the rooms they call.
//
// Exit codes: 0 done, nothing wrong; 1 findings of severity error, or what was
// asked for does not hold; 2 wrong usage; 3 could not do it.
package main
