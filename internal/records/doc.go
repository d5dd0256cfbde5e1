// Package records stores facts, one in each file: questions, actions, goals, constraints, notes and
// the other kinds of its table.
//
// A record is a file that is written once, `<folder>/<id>.json`. A change of it is another file,
// `<folder>/<id>.<what>-<change id>.json`, which is also written once. [Fold] computes the state of
// a record from its file and its changes. It is a pure function that gives the same result for the
// same files in any order. Therefore two trees are merged by having the files of both.
package records
