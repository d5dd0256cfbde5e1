package main

import (
	"slices"
	"strings"
)

// An errorReport is an error as --format json prints it on standard output.
type errorReport struct {
	Error reportedError `json:"error"`
}

// A reportedError is the error of an errorReport.
type reportedError struct {
	Kind    string `json:"kind"` // see package present
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"` // what to do
}

// askedFormat returns the value of the last flag --format of a command line, or "".
func askedFormat(argv []string) string {
	if end := slices.Index(argv, "--"); end >= 0 {
		argv = argv[:end]
	}
	format := ""
	for i, arg := range argv {
		if flagName(arg) != "format" {
			continue
		}
		if _, value, given := strings.Cut(arg, "="); given {
			format = value
		} else if i+1 < len(argv) {
			format = argv[i+1]
		}
	}
	return format
}
