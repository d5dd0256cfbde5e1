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
	maxOutput     = 64 << 10 // bytes that a program may say
	maxComplaints = 4 << 10  // bytes of its complaints that are kept
	grace         = time.Second
)

// instructed is the argument in whose place a program gets the instruction; its
// standard input is fenced then.
const instructed = "{instruction}"

// A program summarises standard input.
type program struct {
	args []string
	dir  string // where it runs; "" is here
}

// ask runs the program, without a shell. It, and what it started, ends with
// ctx.
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
		cmd.Cancel() // what it started is still there
	}
	if err != nil {
		return reply{}, explain(ctx, err, complaints.kept.String())
	}
	if cause := context.Cause(ctx); cause != nil {
		return reply{}, cause
	}
	return reply{text: said.kept.String()}, nil
}

// explain says why a program did not answer.
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

// Bounded keeps the first bytes that are written to it.
type bounded struct {
	most int
	kept bytes.Buffer
	over func() // there is more; nil where that does not matter
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
