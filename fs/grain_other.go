//go:build !linux

package fs

import (
	"os"
	"time"
)

// grainOf returns the time that a file must be unchanged before its stamp is trusted.
func grainOf(*os.File) time.Duration { return coarseGrain }
