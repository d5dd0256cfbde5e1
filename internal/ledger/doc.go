// Package ledger records decisions. A decision is written once and never changed; another decision
// can supersede it.
//
// Each decision is one file below decisions/. recent_decisions in the State and key_decisions in a
// session are views of the decisions and are maintained by other packages.
package ledger
