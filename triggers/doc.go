// Package triggers decides which triggers fire for a change.
//
// It uses no clock and no disk. [Set.Fire] takes a [Change], which is the State
// before and after and the event, and returns the firings, together with the
// [Record] that the caller passes to the next call.
//
// # Promises
//
//   - A change fires a trigger once: the same values with the resulting Record fire
//     nothing and leave the Record unchanged.
//   - A condition that stays true does not fire again. One on context_usage_percent
//     fires again when usage is 5 points above its lowest value since the firing.
//   - A trigger that forgemind's own writes fire more than 5 times in 10 s is
//     switched off.
//   - Every condition is refused or evaluated in a bounded number of steps, and
//     reads only the given values ([Compile]).
//
// # Limits
//
// The package knows the names of actions, not what they do.
package triggers
