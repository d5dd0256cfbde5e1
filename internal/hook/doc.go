// Package hook connects agents to forgemind: it installs hooks in an agent's own settings, and
// answers their events in the agent's form.
//
// # Installation
//
// [Install] and [Uninstall] return a plan, and [Plan.Do] executes it. A plan reads every file and
// computes its new contents before the first is written. If one file cannot be edited, none is
// written. Settings keep their formatting and comments, and the entries of others. Our entries are
// added once and removed completely. A receipt in the user's state directory records the changes of
// a file, so that an uninstall can restore it exactly. Without a receipt our entries are found by
// their text.
//
// That text is "forgemind hook run EVENT --agent A" and does not change, because agents ask for
// trust in it, and a project's settings are shared between machines. Only the user's own settings
// name a path, and only if forgemind is not on the PATH.
//
// This package and the user decide what is installed, never a file of a project. A link that leads
// out of the project or the user's home is not followed.
//
// # Events
//
// [Run] is called by that text. It reads the agent's description of an event, tells the agent what
// it needs, and then records. A tree that is damaged, locked, read-only or missing, and an invalid
// payload, never disturb the agent: there is no error and no output, and the hook takes at most two
// seconds. Errors are recorded in `.local/` (see [RunFaults]). So is the memory of a session. It is
// sealed with a key of the user, because a project can contain a `.local/`, too. Input is only
// data: a path must be below the project, a transcript must be a regular file, and nothing of a
// tree is executed.
//
// [ReadStatusInput] reads the input that an agent gives to a status line.
package hook
