package main

import (
	"math"
	"runtime/debug"
	"testing"
)

// The limit holds unless the environment sets another, which the Go runtime reads.
func TestMemoryIsLimited(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	for environment, want := range map[string]int64{"": 300 << 20, "1GiB": math.MaxInt64} {
		t.Setenv("GOMEMLIMIT", environment)
		debug.SetMemoryLimit(math.MaxInt64)
		limitMemory()
		if now := debug.SetMemoryLimit(-1); now != want {
			t.Errorf("GOMEMLIMIT=%s: limited to %d bytes, want %d", environment, now, want)
		}
	}
}
