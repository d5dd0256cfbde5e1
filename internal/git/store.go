package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Store is a bare repository of forgemind's own, through which it exchanges files with
// a branch of a remote. A command of a Store changes the refs of the Store and the branch
// of the remote, and nothing of the user's repository. It runs no hooks, and it never
// asks for a password.
type Store struct {
	dir      string
	settings []setting // the user's settings for the remote
}

// The refs of a Store.
const (
	theirRef  = "refs/forgemind/theirs" // the branch as it was fetched last
	nextRef   = "refs/forgemind/next"   // the commit that is to be pushed
	agreedRef = "refs/forgemind/agreed" // the commit that both sides had last
)

// remotePatience is the time limit of one command that speaks to a remote.
const remotePatience = 10 * time.Minute

// ErrMoved is the error of Push if the branch is no longer at the commit that was fetched.
var ErrMoved = errors.New("the branch of the remote has moved")

// A RejectedError reports that a remote refuses a push, such as to a protected branch.
type RejectedError struct{ Reason string }

func (e *RejectedError) Error() string { return "the remote refuses the push: " + e.Reason }

// settingNames matches the settings of the user's repository that concern a remote or a
// commit.
const settingNames = `^(credential|http|https|url|user|author|committer|gpg)\.|^core\.sshcommand$|^commit\.gpgsign$`

// OpenStore opens the Store in the directory dir, and creates it if it is missing. It
// uses the settings for remotes of the repository that holds the directory root, if any.
func OpenStore(ctx context.Context, dir, root string) (*Store, error) {
	s := &Store{dir: dir}
	if _, err := os.Stat(filepath.Join(dir, "HEAD")); err != nil {
		if _, err := run(ctx, "", nil, "init", "--quiet", "--bare", "--template=", dir); err != nil {
			return nil, err
		}
	}
	out, err := run(ctx, root, nil, "config", "--local", "--includes", "--null", "--get-regexp", settingNames)
	var exit *exec.ExitError
	switch {
	case errors.Is(err, ErrNoRepository), errors.As(err, &exit): // none, or outside of a repository
		out = nil
	case err != nil:
		return nil, err
	}
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		if key, value, ok := strings.Cut(string(entry), "\n"); ok {
			s.settings = append(s.settings, setting{key, value})
		}
	}
	return s, nil
}

// RemoteURL returns the URL of a remote of the repository that holds root. The error is
// ErrNoRepository if there is no repository.
func RemoteURL(ctx context.Context, root, remote string) (string, error) {
	if err := admit(remote); err != nil {
		return "", err
	}
	out, err := run(ctx, root, nil, "remote", "get-url", "--", remote)
	return strings.TrimSpace(string(out)), err
}

// run returns the output of a git command in the Store.
func (s *Store) run(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	return s.runWith(ctx, patience, stdin, args...)
}

func (s *Store) runWith(ctx context.Context, limit time.Duration, stdin io.Reader, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %s", limit))
	defer cancel()
	args = append([]string{"--git-dir", s.dir, "-c", "core.fsync=committed,reference", "-c", "core.askPass=", "-c", "maintenance.auto=false", "-c", "gc.auto=0"}, args...)
	cmd, complaints := command(ctx, s.dir, args...)
	cmd.Env = append(s.configured(cmd.Env), "GIT_ALLOW_PROTOCOL=file:git:http:https:ssh", "GIT_ASKPASS=", "SSH_ASKPASS=")
	for _, name := range []string{"GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_NO_VERIFY"} {
		if value, ok := os.LookupEnv(name); ok {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	out := &bounded{most: maxOutput}
	cmd.Stdin, cmd.Stdout = stdin, out
	err := cmd.Run()
	switch {
	case err != nil:
		return out.kept.Bytes(), explain(ctx, err, s.dir, nameOfCommand(args), complaints)
	case out.over:
		return nil, fmt.Errorf("git %s: more than %d bytes of output", nameOfCommand(args), maxOutput)
	}
	return out.kept.Bytes(), nil
}

// nameOfCommand returns the git command in a list of arguments that begins with options
// and their values.
func nameOfCommand(args []string) string {
	for len(args) > 2 && strings.HasPrefix(args[0], "-") {
		args = args[2:]
	}
	return args[0]
}

// network is run for a command that speaks to a remote.
func (s *Store) network(ctx context.Context, args ...string) ([]byte, error) {
	if _, ok := os.LookupEnv("GIT_SSH_COMMAND"); !ok && !s.has("core.sshcommand") {
		args = append([]string{"-c", "core.sshCommand=ssh -o BatchMode=yes"}, args...)
	}
	return s.runWith(ctx, remotePatience, nil, args...)
}

// has reports whether the user's repository has a setting.
func (s *Store) has(key string) bool {
	return slices.ContainsFunc(s.settings, func(set setting) bool { return strings.EqualFold(set.key, key) })
}

// A setting is a value of git's configuration.
type setting struct{ key, value string }

// configured returns env with the settings of the Store after those that env has.
func (s *Store) configured(env []string) []string {
	count, _ := strconv.Atoi(os.Getenv("GIT_CONFIG_COUNT")) // git refuses what is no number
	for _, set := range s.settings {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", count, set.key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", count, set.value))
		count++
	}
	return append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(count))
}

// Fetch gets a branch of the remote and returns its commit, "" if the remote has no such
// branch.
func (s *Store) Fetch(ctx context.Context, url, branch string) (commit string, err error) {
	ref := "refs/heads/" + branch
	id, err := s.tip(ctx, url, ref)
	if err != nil || id == "" {
		return "", err
	}
	if known, err := s.resolve(ctx, theirRef); err == nil && known == id {
		return id, nil
	}
	_, err = s.network(ctx, "fetch", "--quiet", "--no-write-fetch-head", "--refmap=", "--no-tags", "--no-auto-maintenance", "--", url, "+"+ref+":"+theirRef)
	if err != nil {
		return "", err
	}
	return s.resolve(ctx, theirRef)
}

// tip returns the commit of a ref of the remote, "" if it has no such ref.
func (s *Store) tip(ctx context.Context, url, ref string) (string, error) {
	out, err := s.network(ctx, "ls-remote", "--", url, ref)
	id, _, _ := strings.Cut(string(out), "\t")
	return id, err
}

// resolve returns the commit of a ref of the Store, or an error.
func (s *Store) resolve(ctx context.Context, ref string) (string, error) {
	out, err := s.run(ctx, nil, "rev-parse", "--verify", "--quiet", ref+"^{commit}")
	return strings.TrimSpace(string(out)), err
}

// Agreed returns the commit that both sides had last, "" if there is none.
func (s *Store) Agreed(ctx context.Context) string {
	id, err := s.resolve(ctx, agreedRef)
	if err != nil {
		return ""
	}
	return id
}

// Fetched returns the commit that was fetched or pushed last, "" if there is none.
func (s *Store) Fetched(ctx context.Context) string {
	id, err := s.resolve(ctx, theirRef)
	if err != nil {
		return ""
	}
	return id
}

// Agree records that both sides have a commit.
func (s *Store) Agree(ctx context.Context, commit string) error {
	_, err := s.run(ctx, nil, "update-ref", agreedRef, commit)
	return err
}

// Contains reports whether the history of a commit contains another commit.
func (s *Store) Contains(ctx context.Context, commit, other string) bool {
	_, err := s.run(ctx, nil, "merge-base", "--is-ancestor", other, commit)
	return err == nil
}

// At opens the folders of a tree at a commit of the Store; see At.
func (s *Store) At(ctx context.Context, commit string) (*Revision, error) {
	return at(ctx, place{s.dir, true}, commit)
}

// A Move moves a branch of a remote from one commit, "" if it had none, to another one.
type Move struct{ From, To string }

// Push moves a branch of the remote. The error is ErrMoved if the branch is elsewhere than
// at the first commit, or a *RejectedError.
func (s *Store) Push(ctx context.Context, url, branch string, m Move) error {
	ref := "refs/heads/" + branch
	out, err := s.network(ctx, "push", "--porcelain", "--no-verify", "--force-with-lease="+ref+":"+m.From, "--", url, m.To+":"+ref)
	if err == nil {
		_, err = s.run(ctx, nil, "update-ref", theirRef, m.To)
		return err
	}
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "!\t") {
			continue
		}
		fields := strings.SplitN(strings.TrimSpace(line), "\t", 3)
		reason := fields[len(fields)-1]
		for _, moved := range []string{"stale info", "fetch first", "non-fast-forward", "cannot lock ref", "failed to update ref", "reference already exists", "incorrect old value"} {
			if strings.Contains(reason, moved) {
				return ErrMoved
			}
		}
		return &RejectedError{echo(reason)}
	}
	if id, unreachable := s.tip(ctx, url, ref); unreachable == nil && id == m.To { // only the answer was lost
		_, err = s.run(ctx, nil, "update-ref", theirRef, m.To)
	}
	return err
}

// Patch returns the changes from a commit, "" for none, to another one, in a form that
// 'git apply' reads.
func (s *Store) Patch(ctx context.Context, from, to string) ([]byte, error) {
	if from == "" {
		out, err := s.run(ctx, strings.NewReader(""), "hash-object", "-t", "tree", "--stdin")
		if err != nil {
			return nil, err
		}
		from = strings.TrimSpace(string(out)) // the empty tree
	}
	return s.run(ctx, nil, "diff-tree", "-r", "-p", "--binary", "--full-index", "--no-ext-diff", "--no-textconv", from, to)
}

// Senders returns the name of the author of the commit that added each file, in the history of a
// commit.
func (s *Store) Senders(ctx context.Context, commit string) (map[string]string, error) {
	out, err := s.run(ctx, nil, "log", "-z", "--format=%x01%an", "--name-only", "--diff-filter=A", "--no-renames", commit)
	if err != nil {
		return nil, err
	}
	senders, by := map[string]string{}, ""
	for part := range strings.SplitSeq(string(out), "\x00") {
		part = strings.TrimPrefix(part, "\n") // before the first file of a commit
		if name, isAuthor := strings.CutPrefix(part, "\x01"); isAuthor {
			by = oneLine(name)
		} else if part != "" {
			senders[part] = by // the first one in the end: the newest commit is read first
		}
	}
	return senders, nil
}

// A CommitAuthor is a person or a machine in the history of a Store.
type CommitAuthor struct {
	Name    string
	Commits int
	Last    time.Time // UTC
}

// Authors returns who made the commits of a commit's history, the last one first.
func (s *Store) Authors(ctx context.Context, commit string) ([]CommitAuthor, error) {
	out, err := s.run(ctx, nil, "log", "--format=%ct %an", commit)
	if err != nil {
		return nil, err
	}
	var all []CommitAuthor
	place := map[string]int{}
	for line := range strings.Lines(string(out)) {
		at, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		seconds, err := strconv.ParseInt(at, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("git log: unexpected answer %s", echo(line))
		}
		name = oneLine(name)
		i, known := place[name]
		if !known {
			i, place[name] = len(all), len(all)
			all = append(all, CommitAuthor{Name: name, Last: time.Unix(seconds, 0).UTC()})
		}
		all[i].Commits++
	}
	return all, nil
}
