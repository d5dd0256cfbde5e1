package git

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// A Written is a file in the working tree, for the question who wrote it.
type Written struct {
	Name    string // a slash path relative to the root
	Content []byte
	Since   time.Time // when the file still had another content; zero if unknown
}

// maxReflog is the number of movements of HEAD that Wrote checks.
const maxReflog = 100

// WroteFile reports whether git put f into the working tree at root: a commit has exactly
// that content at its name, and no `git commit` run here since f.Since added it,
// because that would be an edit. A content that is only in a stash is an edit as well.
// Wrote returns false if git fails.
func WroteFile(ctx context.Context, root string, f Written) bool {
	if strings.ContainsAny(f.Name, "\n\x00") || Find(root) == (Repo{}) || !Stores(ctx, root, f.Content) {
		return false
	}
	moves, err := movesOfHead(ctx, root, f.Name)
	if err != nil || len(moves) == 0 {
		return false
	}
	ids := []string{blobID(f.Content, len(moves[0].commit))}
	for i, m := range moves {
		before := i+1 == len(moves) || moves[i+1].blob != m.blob
		if m.blob == ids[0] && m.byUser() && before && !m.at.Before(f.Since.Truncate(time.Second)) {
			return false
		}
	}
	if moves[0].blob == ids[0] {
		return true
	}
	out, err := run(ctx, root, nil, "-c", "log.showSignature=false", "--literal-pathspecs", "log", "--no-show-signature", "--no-color", "--no-decorate",
		"--full-history", "-m", "--no-renames", "--max-count=1", "--format=%H", "--find-object="+ids[0], "HEAD", "--branches", "--tags", "--remotes", "--", f.Name)
	return err == nil && len(out) > 0
}

// maxVersions is the number of versions of a file that News checks.
const maxVersions = 50

// BaseVersion returns the version of f on which a change of it was based, if the commit of
// HEAD's version of f was never in the working tree at root before: somebody else made
// it, and it came by a pull or a checkout of another branch. The version is the latest
// before it, along first parents, for which known returns true. News returns false if
// the commit was here before, or if no version of f is known.
func BaseVersion(ctx context.Context, root string, f Written, known func(content []byte) bool) (base []byte, ok bool) {
	moves, err := movesOfHead(ctx, root, f.Name)
	if err != nil || len(moves) == 0 || moves[0].blob != blobID(f.Content, len(moves[0].commit)) {
		return nil, false
	}
	came := 0
	for came+1 < len(moves) && moves[came+1].blob == moves[0].blob {
		came++
	}
	out, err := run(ctx, root, nil, "-c", "log.showSignature=false", "--literal-pathspecs", "log", "--no-show-signature", "--no-color", "--no-decorate",
		"--first-parent", "--max-count="+strconv.Itoa(maxVersions), "--format=%H", "HEAD", "--", f.Name)
	commits := strings.Fields(string(out))
	if err != nil || len(commits) == 0 {
		return nil, false
	}
	args := []string{"rev-list", "--max-count=1", commits[0], "--not"}
	for _, m := range moves[came+1:] {
		args = append(args, m.commit)
	}
	if out, err = run(ctx, root, nil, args...); err != nil || len(out) == 0 {
		return nil, false
	}
	objects, err := openObjects(ctx, place{dir: root})
	if err != nil {
		return nil, false
	}
	defer objects.close()
	for _, commit := range commits[1:] {
		if found, err := objects.ask(commit+":./"+f.Name, maxFile); err == nil && known(found.content) {
			return found.content, true
		}
	}
	return nil, false
}

// A headMove is a movement of HEAD that the reflog has.
type headMove struct {
	commit, blob string // the new commit, and its id of the file; "" for none
	at           time.Time
	action       string // such as "commit (amend): Text", or "pull: Fast-forward"
}

// byUser reports whether the user committed the content of the working tree.
func (m headMove) byUser() bool {
	action, _, _ := strings.Cut(m.action, ":")
	return action == "commit" || action == "commit (initial)" || action == "commit (amend)"
}

// movesOfHead returns the movements of HEAD, latest first, with the id of the file name
// in each commit.
func movesOfHead(ctx context.Context, root, name string) ([]headMove, error) {
	out, err := run(ctx, root, nil, "-c", "log.showSignature=false", "log", "--no-show-signature", "--no-color", "--no-decorate", "--walk-reflogs",
		"--date=unix", "--max-count="+strconv.Itoa(maxReflog), "--format=%H %gd %gs", "HEAD", "--")
	if err != nil {
		return nil, err
	}
	var moves []headMove
	var questions strings.Builder
	for line := range strings.Lines(string(out)) {
		commit, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		selector, action, _ := strings.Cut(rest, " ")
		_, at, _ := strings.Cut(strings.TrimSuffix(selector, "}"), "@{")
		seconds, _ := strconv.ParseInt(at, 10, 64)
		moves = append(moves, headMove{commit: commit, at: time.Unix(seconds, 0), action: action})
		questions.WriteString(commit + ":./" + name + "\n")
	}
	out, err = run(ctx, root, strings.NewReader(questions.String()), "cat-file", "--batch-check=%(objectname)")
	if err != nil {
		return nil, err
	}
	i := 0
	for line := range strings.Lines(string(out)) {
		if id := strings.TrimSuffix(line, "\n"); i < len(moves) && !strings.Contains(id, " ") {
			moves[i].blob = id
		}
		i++
	}
	return moves, nil
}
