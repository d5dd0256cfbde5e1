// Package triggers says which triggers fire for a change.
//
// It is pure: it knows no clock and no disk. The State before and after and
// the event go in ([Change]); the firings come out, together with the [Record]
// that must be kept for the next time ([Set.Fire]).
//
// It promises that
//   - a change fires a trigger once: the same values again, with the Record of
//     the first time, fire nothing and leave the Record as it is;
//   - a condition that stays true does not fire again, and one on
//     context_usage_percent not before usage is 5 points above the lowest that
//     was seen since it fired;
//   - a trigger that forgemind's own writes fire again and again is switched off;
//   - a condition, whoever wrote it, is refused or evaluated within a bounded
//     number of steps, and reaches nothing but the values given ([Compile]).
//
// What an action does is none of its business; it knows their names only.
package triggers
