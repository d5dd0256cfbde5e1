package summarizer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/remote"
)

const (
	maxOutput     = 64 << 10 // maximum output of a program, in bytes
	maxComplaints = 4 << 10  // number of bytes of error output that are kept
	grace         = time.Second
)

// instructed is the argument that is replaced by the instruction; the text on standard
// input is then enclosed in fences.
const instructed = "{instruction}"

// A program is a command that summarizes its standard input.
type program struct {
	args []string
	dir  string // the working directory; "" is the current one
}

// ask runs the program, without a shell. The program and its children end with ctx.
func (p *program) ask(ctx context.Context, asked prompt) (reply, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	args, input := make([]string, len(p.args)), asked.text
	for i, arg := range p.args {
		if args[i] = arg; arg == instructed && i > 0 {
			args[i], input = asked.instruction(), asked.fenced()
		}
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.WaitDelay = p.dir, grace
	apart(cmd)
	said := &bounded{most: maxOutput, over: func() { cancel(fmt.Errorf("more than %d KiB of output", maxOutput>>10)) }}
	complaints := &bounded{most: maxComplaints}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), said, complaints
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		cmd.Cancel() // ends its children too
	}
	if err != nil {
		return reply{}, explain(ctx, err, complaints.kept.String())
	}
	if cause := context.Cause(ctx); cause != nil {
		return reply{}, cause
	}
	return reply{text: said.kept.String()}, nil
}

// explain returns the reason why a program failed.
func explain(ctx context.Context, err error, complaints string) error {
	var missing *exec.Error
	switch cause := context.Cause(ctx); {
	case cause != nil:
		return cause
	case errors.As(err, &missing):
		return fmt.Errorf("cannot run it: %w", missing.Err)
	case errors.Is(err, exec.ErrWaitDelay):
		return errors.New("it ended, but what it started goes on and keeps its output open")
	case strings.TrimSpace(complaints) != "":
		return fmt.Errorf("%w: %s", err, remote.Quoted(complaints, 300))
	}
	return err
}

// Bounded is a writer that keeps the first bytes written to it.
type bounded struct {
	most int
	kept bytes.Buffer
	over func() // called when more bytes are written; may be nil
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	room := min(len(p), b.most-b.kept.Len())
	b.kept.Write(p[:room])
	if room < len(p) && b.over != nil {
		b.over()
		return room, errors.New("too much output")
	}
	return len(p), nil
}
