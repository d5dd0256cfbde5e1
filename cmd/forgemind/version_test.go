package main

import (
	"runtime/debug"
	"testing"
)

// TestVersionNamesTheCommit tests what version says of the repository that the program was built
// from, which the Go tool does not record in tests.
func TestVersionNamesTheCommit(t *testing.T) {
	for _, c := range []struct {
		settings []debug.BuildSetting
		want     string
	}{
		{nil, "forgemind v1 (go1, os/arch)\n"},
		{[]debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-11-20T09:00:00Z"}, {Key: "vcs.modified", Value: "false"}},
			"forgemind v1 (go1, os/arch)\ncommit abc, 2026-11-20T09:00:00Z\n"},
		{[]debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-11-20T09:00:00Z"}, {Key: "vcs.modified", Value: "true"}},
			"forgemind v1 (go1, os/arch)\ncommit abc, 2026-11-20T09:00:00Z, with changes that were not committed\n"},
	} {
		r := versionReport{Forgemind: "v1", Go: "go1", Platform: "os/arch"}
		r.readSource(c.settings)
		if got := r.text(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
