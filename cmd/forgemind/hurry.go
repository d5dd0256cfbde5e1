package main

import (
	"runtime"
	"runtime/debug"
)

// hurry puts the first garbage collection off until the heap has 64 MiB: a command
// that somebody waits for, and that reads ten thousand decisions and ends, is through
// by then. From the first one on it is as Go has it, so that a large tree takes no
// more memory than it must.
func hurry() {
	const firstAt = 64 << 20 / (4 << 20 / 100) // percent; Go's least heap is 4 MiB at 100
	usual := debug.SetGCPercent(firstAt)
	if usual == firstAt { // it is in a hurry already
		return
	}
	runtime.AddCleanup(new([32]byte), func(usual int) { debug.SetGCPercent(usual) }, usual)
}
