// Package validate says what is wrong with a document, and where.
//
// Bytes come in and [Finding] values come out. A Finding is data: something
// wrong in a document. A Go error means that this package could not do its
// work.
package validate
