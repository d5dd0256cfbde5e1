package main

import (
	"context"
	"crypto/rand"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/forgemind/forgemind/internal/hook"
)

func main() { os.Exit(runProcess(hook.Limit)) }

// runProcess runs the command that the process was started for and returns the exit
// code. Hooks end within hookLimit.
func runProcess(hookLimit time.Duration) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	p := &program{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Getwd: os.Getwd, Now: time.Now, Rand: rand.Reader,
		HookLimit: hookLimit,
	}
	return p.run(ctx, os.Args)
}
