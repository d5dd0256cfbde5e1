package main

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// A large tree must not take twenty times the memory it needs.
func TestHurryEndsWithTheFirstCollection(t *testing.T) {
	hurry()
	if now := percent(); now <= 1000 {
		t.Fatalf("%d percent at once", now)
	}
	runtime.GC()
	for end := time.Now().Add(time.Minute); percent() != 100; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d percent after a collection", percent())
		}
	}
}

func percent() int {
	now := debug.SetGCPercent(100)
	debug.SetGCPercent(now)
	return now
}
