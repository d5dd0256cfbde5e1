package main

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"
)

// A program is one run of forgemind with everything that it uses of its environment.
type program struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Getwd          func() (string, error)
	Now            func() time.Time
	Rand           io.Reader

	out, err *safeWriter // Stdout and Stderr with escaping
	json     bool        // --format json is given

	derivesNothing bool // readers store no index
}

// run executes argv and returns the exit code. It recovers from panics.
func (p *program) run(ctx context.Context, argv []string) (code int) {
	p.out, p.err = newSafeWriter(p.Stdout), newSafeWriter(p.Stderr)
	defer func() {
		if fault := recover(); fault != nil {
			p.confess(fault, debug.Stack())
			code = exitFailed
		}
	}()
	app := p.app()
	p.json = askedFormat(argv) == "json" // needed for usage errors, too
	argv, err := reorder(app, argv)
	if err == nil {
		p.settleColour(argv)
		p.settleWidth(argv)
		err = app.RunContext(ctx, argv)
	}
	p.out.flush()
	if err == nil && p.out.failed != nil {
		err = fmt.Errorf("write standard output: %w", p.out.failed)
	}
	return p.report(err)
}

// confess reports a bug of forgemind, with the stack trace that a bug report needs.
func (p *program) confess(fault any, stack []byte) {
	fmt.Fprintf(p.err, "forgemind: error: a bug in forgemind: %s\n", short(fmt.Sprint(fault), 300))
	lines := strings.Split(string(stack), "\n")
	shown := 0
	for i, line := range lines[:len(lines)-1] {
		ours := strings.Contains(line, "forgemind/") || strings.HasPrefix(line, "main.")
		if ours && strings.HasPrefix(lines[i+1], "\t") && shown < 8 {
			fmt.Fprintf(p.err, "  at %s\n", strings.TrimSpace(lines[i+1]))
			shown++
		}
	}
	fmt.Fprintln(p.err, "forgemind: hint: please report it with these lines and the command you ran; no document is half written")
}
