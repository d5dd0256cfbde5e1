package main

import (
	"errors"
	"flag"
	iofs "io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// hookLimitEnv sets the time limit of hooks in processes that tests start, such as 2s.
const hookLimitEnv = "FORGEMIND_TEST_HOOK_LIMIT"

// TestMain lets scripts run forgemind: the test binary under that name. Unless a test
// says otherwise, its hooks have the time that a busy machine may need.
func TestMain(m *testing.M) {
	testscript.Main(waitingTests{m}, map[string]func(){"forgemind": func() {
		limit, err := time.ParseDuration(os.Getenv(hookLimitEnv))
		if err != nil {
			limit = 30 * time.Second
		}
		os.Exit(runProcess(limit))
	}})
}

// waitingTests are tests that mostly wait, for processes and for editors. More of them run
// at once than there are processors.
type waitingTests struct{ *testing.M }

func (m waitingTests) Run() int {
	shareFlags()
	flag.Parse()
	if err := flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	return m.M.Run()
}

// TestScript runs the stories in testdata/script.
func TestScript(t *testing.T) {
	t.Parallel() // so that the other tests that wait run beside the stories
	testscript.Run(t, scripts("testdata/script"))
}

// scripts are the stories in a directory, each in a fresh directory of its own.
func scripts(dir string) testscript.Params {
	return testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			out, err := os.MkdirTemp("", "story") // for what a story keeps outside of its tree
			if err != nil {
				return err
			}
			env.Setenv("OUT", out)
			env.Defer(func() {
				os.RemoveAll(out)
				beside, _ := filepath.Glob(filepath.Dir(env.WorkDir) + "/*")
				for _, path := range beside { // other stories run there
					if !strings.HasPrefix(filepath.Base(path), "script-") {
						env.T().Fatal("$WORK has to hold what it writes, or $OUT: ", path)
					}
				}
			})
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			env.Setenv("GIT_CEILING_DIRECTORIES", env.WorkDir)
			env.Setenv("GORACE", "atexit_sleep_ms=0") // else each command waits a second at its end, where races are looked for
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				env.Setenv("GIT_"+who+"_NAME", "Tester")
				env.Setenv("GIT_"+who+"_EMAIL", "tester@example.org")
			}
			return makeOlder(env.WorkDir)
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
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "await": await, "counts": counts, "settle": settle, "swap": swap, "value": value,
		},
	}
}

// makeOlder makes the files and directories in dir a minute older, so that no reader takes one
// that is torn or missing for one that an editor is saving, and waits for it.
func makeOlder(dir string) error {
	past := time.Now().Add(-time.Minute)
	return filepath.WalkDir(dir, func(path string, d iofs.DirEntry, err error) error {
		if err != nil || d.Type()&iofs.ModeSymlink != 0 {
			return err
		}
		return os.Chtimes(path, past, past)
	})
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

// settle waits until the time stamps of all files below the working directory can be
// believed: a command keeps nothing that it derives from younger ones.
func settle(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: settle")
	}
	tree, err := fs.Open(ts.MkAbs("."))
	ts.Check(err)
	defer tree.Close()
	var newest fs.Stamp
	ts.Check(filepath.WalkDir(tree.Root(), func(_ string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			newest.Written = max(newest.Written, info.ModTime().UnixNano())
		}
		return err
	}))
	for !tree.Settled(newest) {
		time.Sleep(10 * time.Millisecond)
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
