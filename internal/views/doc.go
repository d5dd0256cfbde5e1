// Package views renders documents from records, and reads back what somebody edited
// in them.
//
// The State and the hot contexts of sessions show the questions, actions, goals,
// constraints and notes that are in force. [Render] brings a document up to the
// records and leaves every other byte of it unchanged: an item that is shown as its
// record says, what forgemind does not know, and the layout. Rendering twice changes
// nothing. [Compare] finds what an edit of a document means for the records.
//
// An item without a record is one of a tree from before there were records, or one
// that somebody has just written. Rendering leaves it as it is.
package views
