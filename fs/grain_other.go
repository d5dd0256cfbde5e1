//go:build !linux

package fs

import (
	"os"
	"time"
)

// grainOf is how long a file at of's place must have been left alone before its
// stamp is believed.
func grainOf(*os.File) time.Duration { return coarseGrain }
