// Package faults holds the suites that break things on purpose.
//
// They run against the built program, with real processes and a real disk:
//
//	.ci/deep kill errors crowd hostile hooks
//
// Commands are killed, and their system calls fail, set by set and command by command:
//
//	go test -run 'TestKilledAtEverySystemCall/lifecycle/condense' ./faults
//
// The merge matrix and the tests named TestSample are short, and part of .ci/run.
//
// Eight processes and an editor on one document, kill -9 at random moments and
// at every system call, errors from every system call, hostile trees, a full
// disk. Where the machine lacks what a suite needs (strace, mounting), the suite
// is skipped and says so. FAULTS_ALL=1 has all that is sampled otherwise.
package faults
