package main

import (
	"context"
	"crypto/rand"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/forgemind/forgemind/internal/hook"
)

func main() { os.Exit(runProcess(hook.Limit)) }

// runProcess runs the command that the process was started for and returns the exit
// code. Hooks end within hookLimit.
func runProcess(hookLimit time.Duration) int {
	limitMemory()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	p := &program{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Getwd: os.Getwd, Now: time.Now, Rand: rand.Reader,
		HookLimit: hookLimit,
	}
	return p.run(ctx, os.Args)
}

// limitMemory has the garbage collector keep the process below 300 MiB as long as what
// it needs has room there, unless the environment says otherwise. Without a limit the
// heap grows to twice of what is in use, and further on a busy machine, where the
// collector waits for a processor.
func limitMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(300 << 20)
	}
}
