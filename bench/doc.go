// Command bench measures forgemind against plain tools on this machine: each
// time stands beside what cat, an empty program, inotifywait or the bare system
// calls take in the same run, measured in turns. It builds the binary itself.
//
//	go run ./bench [-quick] [-n RUNS] [-rows ROW,…] [--format text|json] [-dir DIR]
//
// It is no test: it fails where something could not be measured, not where a
// target is not reached. README.md explains each row.
package main
