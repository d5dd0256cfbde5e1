// Package session is conversations: the files of one session below
// .quaid/context/sessions, which session is active, and the index of all.
package session
