// Package compact plans what to keep, summarise and drop.
//
// It is pure: messages and figures go in, a Plan comes out, and the same input
// gives the same Plan. Nothing of a message is changed: a kept one stays byte
// for byte, the others leave the conversation for one summary.
package compact
