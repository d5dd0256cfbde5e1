package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// TestMain lets scripts run forgemind: the test binary under that name.
func TestMain(m *testing.M) {
	testscript.Main(awayFromHome{m}, map[string]func(){"forgemind": main})
}

// awayFromHome runs tests with a folder of their own for what forgemind keeps outside of
// trees. It comes after the commands of scripts, which run main alone.
type awayFromHome struct{ m *testing.M }

func (a awayFromHome) Run() int {
	shareFlags()
	dir, err := os.MkdirTemp("", "state")
	if err == nil {
		err = os.Setenv("XDG_STATE_HOME", dir)
	}
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	return a.m.Run()
}

// TestScript runs the stories in testdata/script.
func TestScript(t *testing.T) {
	testscript.Run(t, scripts("testdata/script"))
}

// ownParent moves the files of a script one folder down and starts the script there, as $WORK.
// So what the script writes to ../ is its own: all scripts run at once and would share it.
func ownParent(env *testscript.Env) (work string, err error) {
	work = filepath.Join(env.WorkDir, "work")
	files, err := os.ReadDir(env.WorkDir)
	if err != nil {
		return "", err
	}
	if err := os.Mkdir(work, 0o777); err != nil {
		return "", err
	}
	for _, file := range files {
		if file.Name() == ".tmp" { // TMPDIR of the script
			continue
		}
		if err := os.Rename(filepath.Join(env.WorkDir, file.Name()), filepath.Join(work, file.Name())); err != nil {
			return "", err
		}
	}
	env.Setenv("WORK", work)
	env.Cd = work
	return work, nil
}

// scripts returns the stories in a directory. Each runs in a new directory of its own.
func scripts(dir string) testscript.Params {
	return testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			work, err := ownParent(env)
			if err != nil {
				return err
			}
			repository, err := filepath.Abs("../..")
			if err != nil {
				return err
			}
			env.Setenv("REPOSITORY", repository)
			env.Setenv("HOME", work)
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state")) // no tree has it
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			env.Setenv("GIT_CEILING_DIRECTORIES", work)
			env.Setenv("GORACE", "atexit_sleep_ms=0") // else each command waits a second at its end, where races are looked for
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				env.Setenv("GIT_"+who+"_NAME", "Tester")
				env.Setenv("GIT_"+who+"_EMAIL", "tester@example.org")
			}
			return nil
		},
		Condition: func(condition string) (bool, error) {
			switch condition {
			case "root":
				return os.Geteuid() == 0, nil
			case "mounts": // whether a process here may mount something for itself
				return exec.Command("unshare", "-m", "mount", "--bind", os.TempDir(), os.TempDir()).Run() == nil, nil
			}
			return false, errors.New("unknown condition " + condition)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "await": await, "counts": counts, "swap": swap, "value": value},
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

// await waits until a file that another process writes holds a text that
// matches, so many times if a number is given:
//
//	await watch.out '"event":"fired"' 2
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: await FILE REGEXP [TIMES]")
	}
	times := 1
	if len(args) == 3 {
		times = atoi(ts, args[2])
	}
	for end := time.Now().Add(time.Minute); matches(ts, args[0], args[1]) < times; {
		if time.Now().After(end) {
			text, _ := os.ReadFile(ts.MkAbs(args[0]))
			ts.Fatalf("%s does not hold %s %d times after a minute:\n%s", args[0], args[1], times, text)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// counts checks how often a text matches in a file:
//
//	counts 1 watch.out '"event":"fired"'
func counts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: counts TIMES FILE REGEXP")
	}
	if got := matches(ts, args[1], args[2]); got != atoi(ts, args[0]) {
		ts.Fatalf("%s holds %s %d times, %s are wanted:\n%s", args[1], args[2], got, args[0], ts.ReadFile(args[1]))
	}
}

// swap replaces a text that a file holds once, by writing to the file as it
// is, not by a new one:
//
//	swap .forgemind/context/current-context.json '"clarity": 0' '"clarity": 7'
func swap(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: swap FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if n := strings.Count(text, args[1]); n != 1 {
		ts.Fatalf("%s holds %q %d times", args[0], args[1], n)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o644))
}

// value checks what the State holds at a JSON pointer, as it is written there:
//
//	value /project/clarity 40
func value(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: value POINTER JSON")
	}
	doc, err := jsonedit.Parse([]byte(ts.ReadFile(fs.State)))
	ts.Check(err)
	got := ""
	if i := doc.Find(args[0]); i >= 0 {
		got = string(doc.Raw(i))
	}
	if (got == args[1]) == neg {
		ts.Fatalf("%s is %s", args[0], got)
	}
}

func matches(ts *testscript.TestScript, file, pattern string) int {
	re, err := regexp.Compile("(?m)" + pattern)
	ts.Check(err)
	text, err := os.ReadFile(ts.MkAbs(file))
	if err != nil && !os.IsNotExist(err) {
		ts.Check(err)
	}
	return len(re.FindAll(text, -1))
}

func atoi(ts *testscript.TestScript, s string) int {
	n, err := strconv.Atoi(s)
	ts.Check(err)
	return n
}
