package forgemind_test

import (
	"os"
	"testing"
)

// TestMain gives the tests a folder of their own for what forgemind keeps outside of
// trees.
func TestMain(m *testing.M) { os.Exit(awayFromHome(m)) }

func awayFromHome(m *testing.M) int {
	dir, err := os.MkdirTemp("", "state")
	if err == nil {
		err = os.Setenv("XDG_STATE_HOME", dir)
	}
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	return m.Run()
}
