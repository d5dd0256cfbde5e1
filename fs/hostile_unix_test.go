//go:build unix && !linux

package fs

import (
	"errors"
	"testing"
)

func mountSmall(*testing.T, string) error { return errors.ErrUnsupported }

func unprivileged(*testing.T) error { return errors.ErrUnsupported }
