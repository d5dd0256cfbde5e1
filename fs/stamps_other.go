//go:build !linux && !darwin

package fs

import "errors"

func stampAt(uintptr, string) (Stamp, int, error) { return Stamp{}, anything, errors.ErrUnsupported }
