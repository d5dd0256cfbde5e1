// Package acted keeps which decisions a working copy has acted on, and what is due for those that
// git brought.
//
// A decision has its effects when its file is there, whoever wrote it. The engine looks for those
// that no [Set] has, has the effects, and adds them. A Set only grows: a decision that vanishes, as
// by a checkout, and comes back has no effects again. Both stand below `.local/`.
package acted
