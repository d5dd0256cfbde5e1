package extract

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every pattern compiles, whether a test reaches it or not.
func TestPatternsCompile(t *testing.T) {
	names, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range names {
		src, err := os.ReadFile(entry.Name())
		if err != nil || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		for _, m := range regexp.MustCompile("like\\(`([^`]*)`\\)").FindAllStringSubmatch(string(src), -1) {
			like(m[1]).compiled()
		}
	}
}
