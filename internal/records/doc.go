// Package records keeps facts, one in a file: questions, actions, goals,
// constraints, notes and what else the table of kinds lists.
//
// A record is a file that is written once, `<folder>/<id>.json`. A change of it is
// another file beside it, `<folder>/<id>.<what>-<change id>.json`, which is written
// once as well. [Fold] computes the state of a record from its file and its changes:
// a pure function, which gives the same for the same files whatever their order.
// Two trees therefore merge by having the files of both. A decision has no changes: what no
// longer holds is superseded by another one.
package records
