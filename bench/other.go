//go:build !linux

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "bench: error: it reads /proc, so it runs on Linux only")
	os.Exit(1)
}
