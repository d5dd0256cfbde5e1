package main

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"
)

// A program is one run of forgemind: everything it takes from the world.
type program struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Getwd          func() (string, error)
	Now            func() time.Time
	Rand           io.Reader
	HookLimit      time.Duration // of `hook run` and `statusline`; 0 means hook.Limit

	out, err *safeWriter // Stdout and Stderr, fit for a terminal
	tree     string      // the project directory that the run works on, once it is known
	verbose  bool        // print the files that a change wrote, and what each action did
}

// run runs the command that argv asks for and returns the exit code. No panic
// leaves it.
func (p *program) run(ctx context.Context, argv []string) (code int) {
	p.out, p.err = newSafeWriter(p.Stdout), newSafeWriter(p.Stderr)
	defer func() {
		if fault := recover(); fault != nil {
			p.confess(fault, debug.Stack())
			code = exitFailed
		}
	}()
	app := p.app()
	argv, err := reorder(app, argv)
	if err == nil {
		p.settleColour(argv)
		err = app.RunContext(ctx, argv)
	}
	p.out.flush()
	if err == nil && p.out.failed != nil {
		err = fmt.Errorf("write standard output: %w", p.out.failed)
	}
	return p.report(err)
}

// confess tells of a fault of forgemind's own, with the places in our code
// that a report needs.
func (p *program) confess(fault any, stack []byte) {
	fmt.Fprintf(p.err, "forgemind: error: a fault in forgemind itself: %s\n", short(fmt.Sprint(fault), 300))
	lines := strings.Split(string(stack), "\n")
	shown := 0
	for i, line := range lines[:len(lines)-1] {
		ours := strings.Contains(line, "forgemind/") || strings.HasPrefix(line, "main.")
		if ours && strings.HasPrefix(lines[i+1], "\t") && shown < 8 {
			fmt.Fprintf(p.err, "  at %s\n", strings.TrimSpace(lines[i+1]))
			shown++
		}
	}
	fmt.Fprintln(p.err, "forgemind: hint: please report it with these lines and the command you ran; your documents are as they were or as a finished write left them")
}
