// Package views renders documents from records, and turns edits of the documents into changes of
// records.
//
// The State and the hot contexts of sessions show the questions, actions, goals, constraints and
// notes that are in force. [Render] updates a document and keeps every byte that need not change:
// items that equal their records, unknown members, and the layout. Rendering twice changes nothing.
// [Compare] returns the changes of records that follow from an edit of a document.
//
// An item without a record comes from a tree that is older than records, or somebody has just
// written it. Rendering keeps it.
package views
