// Package faults holds the suites that break things on purpose.
//
// They run against the built program, with real processes and a real disk:
//
//	go test -count=1 -timeout 40m -tags slow ./faults
//
// Eight processes and an editor on one document, kill -9 at random moments and
// at every system call, errors from every system call, hostile trees, a full
// disk. Where the machine lacks what a suite needs (strace, mounting), the suite
// is skipped and says so. Of the system calls at which something fails a sample is tried:
// all with FAULTS_ALL=1, a third of the sample with FAULTS_SHORT=1.
package faults
