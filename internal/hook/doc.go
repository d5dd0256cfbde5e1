// Package hook is the door that agents' hooks come in by: it installs them in an
// agent's own settings, and answers their events in the agent's form.
//
// An installation is planned ([Install], [Uninstall]) and then done: every file is
// read, and what it becomes is computed, before the first is written; if one cannot
// be edited, none is. Settings keep their formatting, comments too; entries of others
// stay; ours are put in once and taken out again. What was made of a file is noted in a receipt with the user's own
// state, so that it can become again what it was, byte for byte; without it our
// entries are found by their text.
//
// That text is "forgemind hook run EVENT --agent A" and does not change: agents ask
// for trust in it, and a project's settings are shared between machines. Only the
// user's own name a path, and only where the PATH has no forgemind.
//
// [Run] is what that text runs: it reads what an agent says of an event, tells it what
// it needs in its own form, and then records. It fails open. A tree that is broken,
// locked, read-only or not there, and a payload that is none, cost an agent nothing:
// no error, no word, two seconds at most. What went wrong is kept in `.local/`
// ([RunFaults]), as is what hooks remember of a session, sealed with a key of the
// user's own: a project can ship a `.local/`, too. What comes in is data: a path
// is looked for below the project, a transcript is read if it is a regular file, and
// nothing of a tree is run.
//
// [ReadStatusInput] reads what an agent says of itself when it asks for a status line.
//
// What is installed is decided here and by the user, never by a file of a project.
// A link that leads out of the project, or out of the user's home, is not followed.
package hook
