// Package acted keeps which decisions a working copy has acted on, and what is due for those that
// git brought.
//
// A decision has its effects when its file is there, whoever wrote it. The engine looks for those
// that the [Set] has not, runs the effects, and adds them. A Set only grows: a decision that vanishes,
// as by a checkout, and comes back does not have its effects a second time. The Set and the [List] of
// what is due stand below `.local/`.
package acted
