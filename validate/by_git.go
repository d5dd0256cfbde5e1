package validate

import (
	"context"
	iofs "io/fs"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
)

// broughtByGit returns those of sessions whose metadata git added or removed, by a
// checkout or a pull, since the index of sessions was written. Data derived from it is
// outdated until the next command. It returns none if git fails, or if git tracks the
// index.
func (c *treeFacts) broughtByGit(sessions []string) map[string]bool {
	root := rootOf(c.reader)
	if len(sessions) == 0 || root == "" || git.Find(root) == (git.Repo{}) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), gitPatience)
	defer cancel()
	index, err := git.Kept(ctx, root, []string{fs.SessionIndex})
	if err != nil || len(index) > 0 {
		return nil
	}
	listed := map[string]bool{}
	for _, s := range c.index {
		listed[s.folder] = true
	}
	const most = 16 // git moves many sessions at once, so the first ones are enough
	brought := map[string]bool{}
	all := true
	for i, id := range sessions {
		if brought[id] = all; i < most {
			brought[id] = c.sessionByGit(ctx, root, fs.Sessions+"/"+id+"/metadata.json", listed[id])
			all = all && brought[id]
		}
	}
	return brought
}

// sessionByGit reports whether git added or removed the metadata at name; see
// broughtByGit. If the index lists the session, it is enough that git stores the
// metadata, because nobody writes that by hand.
func (c *treeFacts) sessionByGit(ctx context.Context, root, name string, listed bool) bool {
	src, err := c.reader.Read(name)
	if err != nil { // git does not remove a file of HEAD
		kept, err := git.Kept(ctx, root, []string{name})
		if err != nil || kept[name].Rev == "HEAD" {
			return false
		}
		elsewhere, err := git.OnAnyBranch(ctx, root, []string{name})
		return err == nil && elsewhere[name]
	}
	indexed := c.written(fs.SessionIndex)
	if !c.written(name).After(indexed) {
		return false
	}
	return listed && git.Stores(ctx, root, src) || git.WroteFile(ctx, root, git.Written{Name: name, Content: src, Since: indexed})
}

// written returns the time of the last write of the file name, the zero time if
// unknown.
func (c *treeFacts) written(name string) time.Time {
	disk, ok := c.reader.(interface {
		Look(name string) (iofs.FileInfo, error)
	})
	if !ok {
		return time.Time{}
	}
	fi, err := disk.Look(name)
	if err != nil {
		return time.Time{}
	}
	return fi.ModTime()
}
