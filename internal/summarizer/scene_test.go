package summarizer

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// asProgram is the variable that makes the test binary act as a summarizing program;
// its value is the behavior.
const asProgram = "FORGEMIND_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if way := os.Getenv(asProgram); way != "" {
		os.Exit(summarise(way))
	}
	goleak.VerifyTestMain(m)
}

// summarise is the program.
func summarise(way string) int {
	switch way {
	case "count": // prints the number of words of its input, and its arguments
		text, _ := io.ReadAll(os.Stdin)
		dir, _ := os.Getwd()
		fmt.Printf("%d words in %s, told %q; %s.", len(strings.Fields(string(text))), filepath.Base(dir), os.Args[1:], os.Getenv("FORGEMIND_TEST_SAYS"))
	case "echo":
		io.Copy(os.Stdout, os.Stdin)
	case "deaf": // reads no input
		fmt.Print("I know already.")
	case "fail":
		fmt.Println("half a summary")
		fmt.Fprintln(os.Stderr, "model not found:\x1b[31m nosuch")
		return 3
	case "hang":
		time.Sleep(time.Minute)
	case "flood":
		out := bufio.NewWriter(os.Stdout)
		for {
			if _, err := out.Write(bytes.Repeat([]byte("Flood. "), 1000)); err != nil {
				return 1
			}
		}
	case "silent":
		fmt.Print(" \n\x1b[0m\n")
	case "garbage":
		os.Stdout.Write([]byte("It \xff\xfe went\x00 well.\x07\n"))
	}
	return 0
}

// programOf returns a Summarizer whose program is the test binary, in a directory of
// its own.
func programOf(t *testing.T, way string, more string, args ...string) *Summarizer {
	t.Helper()
	t.Setenv(asProgram, way)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command, err := jsonedit.Value(append([]string{self}, args...))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "forgemind")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return read(t, filepath.Join(dir, "config.json"), fmt.Sprintf(`{"summarizer": {"kind": "command", "command": %s%s}}`, command, more), nil)
}

func read(t *testing.T, name, src string, env map[string]string) *Summarizer {
	t.Helper()
	s, err := Read(name, []byte(src), func(name string) string { return env[name] })
	if err != nil || s == nil {
		t.Fatalf("%s: %v", src, err)
	}
	return s
}
