package audit

import (
	"bytes"
	"context"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

const (
	maxRepoFile = 512 << 10 // bytes; a longer file is nothing that people write
	maxRepoText = 64 << 20  // bytes of all of them
)

var (
	// chronicles are files that tell what was.
	chronicles = lazyregexp.New(`(?i)^(?:changelog|changes|history|news|releases?|release[-_]notes|authors)(?:\.\w+)?$`)
	// written are the files whose words are looked at, not only the ids in them.
	prose = lazyregexp.New(`(?i)\.(?:md|markdown|mdx|txt|rst|adoc|org)$|^[A-Z]+$`)
	// gone is how a text says of itself that it holds no more.
	ended = lazyregexp.New(`(?i)^[\s>*#_-]*status[\s*_]*:?[\s*_]*(?:is\s+)?(?:superseded|deprecated|obsolete|rejected|replaced)`)
)

// lookAtRepository looks for superseded decisions in the text of what git
// tracks outside the tree's own folders.
func (s *survey) lookAtRepository() error {
	names, err := git.Tracked(s.ctx, s.o.Root)
	if err != nil {
		return err
	}
	left := maxRepoText
	for _, name := range names {
		if s.ctx.Err() != nil {
			return context.Cause(s.ctx)
		}
		folder, _, _ := strings.Cut(name, "/")
		if folder == fs.Forgemind || folder == fs.Quaid || chronicles.MatchString(path.Base(name)) {
			continue
		}
		src, err := s.reader.Read(name)
		if err != nil || len(src) > maxRepoFile || bytes.IndexByte(src[:min(len(src), 8<<10)], 0) >= 0 {
			continue // removed, a link, too large, or no text
		}
		if left -= len(src); left < 0 {
			s.leaveOut("files of the repository beyond the first 64 MiB", "it takes too long")
			return nil
		}
		s.checked++
		s.mentionsInFile(name, string(src))
	}
	return nil
}

func (s *survey) mentionsInFile(name, src string) {
	head := src[:min(len(src), 2<<10)]
	for line := range strings.Lines(head) {
		if ended.MatchString(line) {
			return
		}
	}
	isProse := prose.MatchString(path.Base(name))
	page := newPage(src, strings.HasSuffix(strings.ToLower(name), ".md"))
	found := s.old.byID(page)
	for _, m := range found {
		s.mention(spot{name, m.line, 1}, 60, m)
	}
	if !isProse {
		return
	}
	for _, m := range s.old.restated(page, found) {
		s.mention(spot{name, m.line, 1}, 50, m)
	}
}
