//go:build linux

package faults_test

import (
	"io/fs"
	"strings"
	"testing"
)

// noLitter checks that nothing lies in `.local/` that belongs to a command
// under way, and that no save was said to be displaced: nobody saved.
func noLitter(t *testing.T, dir string) bool {
	t.Helper()
	clean := true
	each(t, dir, func(name string, _ fs.FileMode, text string) {
		folder, rest, ok := strings.Cut(name, "/.local/")
		if !ok {
			if strings.HasSuffix(name, "~") {
				t.Errorf("litter: %s", name)
				clean = false
			}
			return
		}
		first, file, _ := strings.Cut(rest, "/")
		if rest == ".gitignore" && text != "*\n" {
			t.Errorf("%s is %q", name, text)
			clean = false
		}
		if first == "stage" && strings.Contains(file, flat("/.local/")+"cold-") {
			return // an index that somebody began who only read: whoever writes in a minute or later clears it away
		}
		switch first {
		case ".gitignore", "lock", "holder", "rendered", "acted.json", "counters.json", "conversation.json", "access.json", "index", "displaced", "last", "usage.json", "watch.lock", "watch.json", "reset.json":
		case "trash": // of documents that were removed
			if !strings.Contains(file, flat(folder)) || strings.Contains(file, flat("/.local/")) {
				t.Errorf("litter in %s: %s", folder, rest)
				clean = false
			}
		default:
			t.Errorf("litter in %s: %s: %s", folder, rest, cut(text))
			clean = false
		}
	})
	return clean
}

// flat is a path as it stands in the name of a file that was put away.
func flat(path string) string { return strings.ReplaceAll(path, "/", "%2F") }
