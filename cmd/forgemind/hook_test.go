package main

import (
	"slices"
	"testing"

	"github.com/forgemind/forgemind/internal/hook"
)

// TestSlashFiles: agents get a file for each slash command there is, and for no other.
func TestSlashFiles(t *testing.T) {
	t.Parallel()
	var known []string
	for _, s := range slashCommands() {
		known = append(known, s.name)
	}
	if got := hook.Slashes(); !slices.Equal(got, known) {
		t.Errorf("files for %v, commands are %v", got, known)
	}
}
