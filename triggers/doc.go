// Package triggers says which triggers fire for a change.
//
// It is pure: the State before and after and the event go in, the firings
// come out, together with what must be remembered for the next time.
package triggers
