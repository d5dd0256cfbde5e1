//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// build builds a package of the module as it is released: static and stripped.
func build(output, pkg string, flags ...string) error {
	args := append([]string{"build", "-trimpath", "-ldflags", "-s -w", "-o", output}, flags...)
	_, err := goTool(append(args, pkg)...)
	return err
}

// goTool runs the go command and returns what it prints.
func goTool(args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, &problem)
	}
	return strings.TrimSpace(string(out)), nil
}

// buildEmpty builds a main that does nothing and imports what it is given. It
// stands in the module for the compiler only, for the sake of internal packages.
func (b *bench) buildEmpty(name string, imports ...string) (string, error) {
	root, err := goTool("list", "-m", "-f", "{{.Dir}}", "github.com/forgemind/forgemind")
	if err != nil {
		return "", err
	}
	var src strings.Builder
	src.WriteString("package main\n\n")
	for _, path := range imports {
		fmt.Fprintf(&src, "import _ %q\n", path)
	}
	src.WriteString("\nfunc main() {}\n")
	source, overlay, output := filepath.Join(b.dir, name+".go"), filepath.Join(b.dir, name+".json"), filepath.Join(b.dir, name)
	if err := os.WriteFile(source, []byte(src.String()), 0o644); err != nil {
		return "", err
	}
	place := filepath.Join(root, "bench", name, "main.go")
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{place: source}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(overlay, text, 0o644); err != nil {
		return "", err
	}
	return output, build(output, "./bench/"+name, "-overlay", overlay)
}

// A usage is what a process took from start to exit, those that it started
// and waited for included.
type usage struct {
	wall, cpu time.Duration
	rss       float64 // MiB, at its peak; no less than this program's own, which Linux hands down
	code      int
	told      string // on stderr
}

// spawn runs a program to its end; what it prints on stdout is dropped.
func spawn(dir, program string, args ...string) (usage, error) {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	var problem bytes.Buffer
	cmd.Stderr = &problem
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	state := cmd.ProcessState
	if state == nil {
		return usage{}, err
	}
	u := usage{wall: wall, cpu: state.UserTime() + state.SystemTime(), code: state.ExitCode(), told: problem.String()}
	if r, ok := state.SysUsage().(*syscall.Rusage); ok {
		u.rss = float64(r.Maxrss) / 1024
	}
	return u, nil
}

// must is spawn of what has to end with a code.
func must(code int, dir, program string, args ...string) (usage, error) {
	u, err := spawn(dir, program, args...)
	if err == nil && u.code != code {
		err = fmt.Errorf("%s %s: exit code %d, not %d\n%s", program, strings.Join(args[:min(3, len(args))], " "), u.code, code, u.told)
	}
	return u, err
}

// A counter is what the kernel has counted of a running process.
type counter struct {
	cpu      time.Duration // in ticks of 10 ms where the kernel knows no better
	switches int64         // voluntary, of all its threads: how often it woke up to go to sleep again
	rss      float64       // MiB
}

// count reads what a running process has taken so far.
func count(pid int) (counter, error) {
	var c counter
	home := fmt.Sprintf("/proc/%d", pid)
	threads, err := os.ReadDir(home + "/task")
	if err != nil {
		return c, err
	}
	precise := true
	for _, t := range threads {
		thread := home + "/task/" + t.Name()
		n, _ := strconv.ParseInt(field(thread+"/status", "voluntary_ctxt_switches"), 10, 64)
		c.switches += n
		ns, err := strconv.ParseInt(firstFields(thread+"/schedstat", 1), 10, 64)
		precise = precise && err == nil
		c.cpu += time.Duration(ns)
	}
	if !precise {
		text, err := os.ReadFile(home + "/stat")
		if err != nil {
			return c, err
		}
		words := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])) // from the third field on
		user, _ := strconv.Atoi(words[11])
		system, _ := strconv.Atoi(words[12])
		c.cpu = time.Duration(user+system) * 10 * time.Millisecond
	}
	kib, _ := strconv.ParseFloat(strings.TrimSuffix(field(home+"/status", "VmRSS"), " kB"), 64)
	c.rss = kib / 1024
	return c, nil
}
