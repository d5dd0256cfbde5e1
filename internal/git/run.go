package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// The reasons why git cannot answer.
var (
	ErrNotInstalled = errors.New("git is not installed, or not in PATH")
	ErrNoRepository = errors.New("no git repository holds it")
)

const (
	patience  = time.Minute // the time limit of one command or one answer
	maxOutput = 256 << 20   // the maximum output of one command, in bytes
	maxErrors = 4 << 10     // the number of bytes of error output that are kept
	maxEcho   = 200         // the number of bytes of untrusted text in a message
)

var errSilent = fmt.Errorf("no answer within %s", patience)

// Version returns the version of the git command, such as "2.39.5".
func Version(ctx context.Context) (string, error) {
	out, err := run(ctx, "", nil, "version")
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(strings.TrimSpace(string(out)), "git version "), nil
}

// run returns the output of a git command in dir. If stdin is nil, standard input is
// empty.
func run(ctx context.Context, dir string, stdin io.Reader, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errSilent)
	defer cancel()
	cmd, complaints := command(ctx, dir, args...)
	out := &bounded{most: maxOutput}
	cmd.Stdin, cmd.Stdout = stdin, out
	if err := cmd.Run(); err != nil {
		return out.kept.Bytes(), explain(ctx, err, dir, nameOfCommand(args), complaints)
	}
	if out.over {
		return nil, fmt.Errorf("git %s: more than %d bytes of output", nameOfCommand(args), maxOutput)
	}
	return out.kept.Bytes(), nil
}

// command returns a git command that runs no program that the repository configures.
func command(ctx context.Context, dir string, args ...string) (*exec.Cmd, *bounded) {
	args = append([]string{"--no-pager", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"}, args...)
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = environment(os.Environ())
	cmd.WaitDelay = time.Second
	complaints := &bounded{most: maxErrors}
	cmd.Stderr = complaints
	return cmd, complaints
}

// environment returns env without the variables that a hook or a shell set for another
// repository. The user's own configuration stays, because it names the trusted owners.
func environment(env []string) []string {
	discovery := []string{"GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"}
	kept := make([]string, 0, len(env)+8)
	for _, e := range env {
		name, _, _ := strings.Cut(strings.ToUpper(e), "=")
		if !strings.HasPrefix(name, "GIT_") || strings.HasPrefix(name, "GIT_CONFIG_") || slices.Contains(discovery, name) {
			kept = append(kept, e)
		}
	}
	return append(kept,
		"LC_ALL=C",
		"GIT_OPTIONAL_LOCKS=0",     // do not refresh the index
		"GIT_TERMINAL_PROMPT=0",    // never ask a question
		"GIT_NO_LAZY_FETCH=1",      // the remote of a partial clone can name commands
		"GIT_ALLOW_PROTOCOL=none",  // the same, for a git that does not know the former
		"GIT_NO_REPLACE_OBJECTS=1", // read the original objects, not replacements
	)
}

// explain returns the error of a failed command.
func explain(ctx context.Context, err error, dir, name string, complaints *bounded) error {
	said := complaints.kept.String()
	if _, fatal, ok := strings.Cut("\n"+said, "\nfatal: "); ok { // after the warnings
		said = fatal
	}
	said, _, _ = strings.Cut(said, "\n")
	switch cause := context.Cause(ctx); {
	case errors.Is(err, exec.ErrNotFound):
		return ErrNotInstalled
	case cause != nil:
		return fmt.Errorf("git %s: %w", name, cause)
	case strings.HasPrefix(said, "not a git repository"):
		return fmt.Errorf("%s: %w", dir, ErrNoRepository)
	case said != "":
		return fmt.Errorf("git %s: %s: %w", name, echo(said), err)
	}
	return fmt.Errorf("git %s: %w", name, err)
}

// echo returns untrusted text in a form that is safe in a message.
func echo(text string) string {
	if len(text) > maxEcho {
		return fmt.Sprintf("%q…", text[:maxEcho])
	}
	return fmt.Sprintf("%q", text)
}

// Bounded is a writer that keeps the first bytes written to it.
type bounded struct {
	most int
	kept bytes.Buffer
	over bool // more bytes were written
}

func (b *bounded) Write(p []byte) (int, error) {
	room := min(len(p), b.most-b.kept.Len())
	b.over = b.over || room < len(p)
	b.kept.Write(p[:room])
	return len(p), nil
}
