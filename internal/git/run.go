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

// What keeps git from answering.
var (
	ErrNotInstalled = errors.New("git is not installed, or not in PATH")
	ErrNoRepository = errors.New("no git repository holds it")
	ErrOwner        = errors.New("git does not read a repository of another owner") // unless safe.directory names it
)

const (
	patience  = time.Minute // how long one command or one answer may take
	maxOutput = 256 << 20   // bytes that one command may say
	maxErrors = 4 << 10     // bytes of its complaints that are kept
	maxEcho   = 200         // bytes of a stranger's text in a message
)

var errLate = errors.New("no answer in time; is each .gitignore a small file?")

// Within returns ctx for a question that git has to answer within d, for somebody waits.
// What stands in a tree can keep git busy for any time: a pipe as .gitignore, or a huge one.
func Within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, d, errLate)
}

var errSilent = fmt.Errorf("no answer within %s", patience)

// Version is the version of the git command, such as "2.39.5".
func Version(ctx context.Context) (string, error) {
	out, err := run(ctx, "", nil, "version")
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(strings.TrimSpace(string(out)), "git version "), nil
}

// run returns what a git command says in dir. Standard input is empty if nil.
func run(ctx context.Context, dir string, stdin io.Reader, args ...string) ([]byte, error) {
	return runWith(ctx, dir, nil, stdin, args...)
}

// runWith is run, with variables added to the environment.
func runWith(ctx context.Context, dir string, env []string, stdin io.Reader, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errSilent)
	defer cancel()
	cmd, complaints := command(ctx, dir, args...)
	out := &bounded{most: maxOutput}
	cmd.Stdin, cmd.Stdout, cmd.Env = stdin, out, append(cmd.Env, env...)
	if err := cmd.Run(); err != nil {
		return out.kept.Bytes(), explain(ctx, err, dir, subcommand(args), complaints)
	}
	if out.over {
		return nil, fmt.Errorf("git %s: more than %d bytes of output", subcommand(args), maxOutput)
	}
	return out.kept.Bytes(), nil
}

// command is a git command that runs nothing of the repository's choosing.
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

// environment is env without what a hook or a shell has set for another
// repository. The user's own config stays, for it says which owners are trusted.
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
		"GIT_OPTIONAL_LOCKS=0",     // no refresh of the index
		"GIT_TERMINAL_PROMPT=0",    // nobody is there to answer
		"GIT_NO_LAZY_FETCH=1",      // a partial clone's remote names commands
		"GIT_ALLOW_PROTOCOL=none",  // the same, for a git that does not know the former
		"GIT_NO_REPLACE_OBJECTS=1", // what the revision held, not what stands in for it
	)
}

// subcommand returns which of git's commands args are.
func subcommand(args []string) string {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "-c":
			i++
		case args[i][0] != '-':
			return args[i]
		}
	}
	return ""
}

// explain says why a command failed.
func explain(ctx context.Context, err error, dir, name string, complaints *bounded) error {
	said := complaints.kept.String()
	if _, fatal, ok := strings.Cut("\n"+said, "\nfatal: "); ok { // after what it warns of
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
	case strings.HasPrefix(said, "detected dubious ownership"):
		return fmt.Errorf("%s: %w", dir, ErrOwner)
	case said != "":
		return fmt.Errorf("git %s: %s: %w", name, echo(said), err)
	}
	return fmt.Errorf("git %s: %w", name, err)
}

// echo is a stranger's text, fit for a message.
func echo(text string) string {
	if len(text) > maxEcho {
		return fmt.Sprintf("%q…", text[:maxEcho])
	}
	return fmt.Sprintf("%q", text)
}

// Bounded keeps the first bytes that are written to it.
type bounded struct {
	most int
	kept bytes.Buffer
	over bool // there was more
}

func (b *bounded) Write(p []byte) (int, error) {
	room := min(len(p), b.most-b.kept.Len())
	b.over = b.over || room < len(p)
	b.kept.Write(p[:room])
	return len(p), nil
}
