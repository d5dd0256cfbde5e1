package main

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets scripts run forgemind: the test binary under that name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"forgemind": main})
}

// TestScript runs the stories in testdata/script.
func TestScript(t *testing.T) {
	testscript.Run(t, scripts("testdata/script"))
}

// scripts are the stories in a directory, each in a fresh directory of its own.
func scripts(dir string) testscript.Params {
	return testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			env.Setenv("GIT_CEILING_DIRECTORIES", env.WorkDir)
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				env.Setenv("GIT_"+who+"_NAME", "Tester")
				env.Setenv("GIT_"+who+"_EMAIL", "tester@example.org")
			}
			return nil
		},
		Condition: func(condition string) (bool, error) {
			if condition == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, errors.New("unknown condition " + condition)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	}
}

// exits runs a program and checks its exit code:
//
//	exits 2 forgemind valdate
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARGUMENTS]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit) && exit.ExitCode() == want:
	case err == nil && want == 0:
	case err == nil:
		ts.Fatalf("%s ended with 0, %d is wanted", strings.Join(args[1:], " "), want)
	default:
		ts.Fatalf("%s: %v; exit code %d is wanted", strings.Join(args[1:], " "), err, want)
	}
}
