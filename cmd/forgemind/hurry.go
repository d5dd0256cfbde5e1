package main

import (
	"runtime"
	"runtime/debug"
)

// hurry delays the first garbage collection until the heap has 64 MiB, so that a command that reads
// ten thousand decisions ends before it. Later collections happen as usual, so that a large tree
// takes no more memory than needed.
func hurry() {
	const firstAt = 64 << 20 / (4 << 20 / 100) // percent; Go's least heap is 4 MiB at 100
	usual := debug.SetGCPercent(firstAt)
	if usual == firstAt { // hurry was called before
		return
	}
	runtime.AddCleanup(new([32]byte), func(usual int) { debug.SetGCPercent(usual) }, usual)
}
