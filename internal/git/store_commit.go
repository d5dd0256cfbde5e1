package git

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A NewCommit describes a commit that a Store makes.
type NewCommit struct {
	Parent  string            // commit; "" if it has none
	Files   map[string][]byte // files that differ from those of the parent
	Message string
	At      time.Time
}

// Commit makes a commit and returns its id. It is signed if git is configured to sign
// commits.
func (s *Store) Commit(ctx context.Context, c NewCommit) (string, error) {
	name, email := s.identity(ctx)
	var stream bytes.Buffer
	fmt.Fprintf(&stream, "feature done\nreset %s\n\ncommit %s\ncommitter %s <%s> %d +0000\n", nextRef, nextRef, name, email, c.At.Unix())
	writeData(&stream, []byte(c.Message))
	if c.Parent != "" {
		fmt.Fprintf(&stream, "from %s\n", c.Parent)
	}
	for _, file := range slices.Sorted(maps.Keys(c.Files)) {
		fmt.Fprintf(&stream, "M 100644 inline %s\n", quotePath(file))
		writeData(&stream, c.Files[file])
	}
	stream.WriteString("done\n")
	if _, err := s.run(ctx, &stream, "fast-import", "--quiet", "--force"); err != nil {
		return "", err
	}
	commit, err := s.resolve(ctx, nextRef)
	if err != nil {
		return "", err
	}
	if out, err := s.run(ctx, nil, "config", "--type=bool", "commit.gpgsign"); err != nil || strings.TrimSpace(string(out)) != "true" {
		return commit, nil
	}
	return s.sign(ctx, commit, c.Parent, c.Message)
}

// sign makes a signed commit with the files of another one.
func (s *Store) sign(ctx context.Context, commit, parent, message string) (string, error) {
	args := []string{"commit-tree", "-S", "-m", message}
	if parent != "" {
		args = append(args, "-p", parent)
	}
	out, err := s.run(ctx, nil, append(args, commit+"^{tree}")...)
	return strings.TrimSpace(string(out)), err
}

// identity returns the name and the address of the committer, as git knows them.
func (s *Store) identity(ctx context.Context) (name, email string) {
	name, email = "forgemind", "forgemind@localhost"
	if out, err := s.run(ctx, nil, "var", "GIT_COMMITTER_IDENT"); err == nil {
		if who, rest, ok := strings.Cut(string(out), " <"); ok {
			name = who
			email, _, _ = strings.Cut(rest, ">")
		}
	}
	if set := oneLine(os.Getenv("GIT_COMMITTER_NAME")); set != "" {
		name = set
	}
	if set := oneLine(os.Getenv("GIT_COMMITTER_EMAIL")); set != "" {
		email = set
	}
	clean := strings.NewReplacer("<", "", ">", "", "\n", " ")
	return clean.Replace(name), clean.Replace(email)
}

// writeData writes data in the form of git fast-import.
func writeData(b *bytes.Buffer, data []byte) {
	b.WriteString("data " + strconv.Itoa(len(data)) + "\n")
	b.Write(data)
	b.WriteByte('\n')
}

// quotePath returns a path in the form of git fast-import.
func quotePath(path string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(path) {
		switch c := path[i]; {
		case c == '"', c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < 0x20, c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// BlobID returns the id that git gives contents, in hexadecimal SHA-1.
func BlobID(content []byte) string { return blobID(content, 40) }

// Blobs returns the names of the regular files of the revision, with the ids of their contents.
func (r *Revision) Blobs() map[string]string {
	blobs := make(map[string]string, len(r.entries))
	for name, e := range r.entries {
		if e.regular() {
			blobs[name] = e.id
		}
	}
	return blobs
}
