package fs

import (
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Aside reports whether a file of that base name is one that a program leaves beside
// documents: an editor's backup or lock, what a system notes about a folder, or a copy that
// a program for synchronizing folders, a file manager or a merge tool made. of is the base
// name of what a copy was made of, "" of what is no copy.
func Aside(base string) (of string, is bool) {
	if isLitter(base) {
		return "", true
	}
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	mark := func(text string) bool { return strings.Contains(stem, text) }
	if !slices.ContainsFunc([]string{" ", "(", "conflict-", "_BACKUP_", "_BASE_", "_LOCAL_", "_REMOTE_"}, mark) {
		return "", false // as most names
	}
	for _, copied := range copyNames() {
		if m := copied.FindStringSubmatch(stem); m != nil {
			return m[1] + ext, true
		}
	}
	return "", false
}

// copyNames are the forms in which programs call copies of a file, without its extension.
// The first group is how the file is called.
var copyNames = sync.OnceValue(func() (all []*regexp.Regexp) {
	for _, form := range []string{
		`^(.+)\.sync-conflict-\d{8}-\d{6}(?:-\w+)?$`, // Syncthing
		`^(.+)_conflict-\d{8}-\d{6}$`,                // ownCloud
		`^(.+)_(?:BACKUP|BASE|LOCAL|REMOTE)_\d+$`,    // git mergetool
		`^Copy (?:\(\d+\) )?of (.+)$`,                // Google Drive, Windows
		`^(.+?)(?: - Copy| copy)(?: \(\d+\)| \d+)?$`, // Windows, macOS
		`^(.+) \(.+\)$`,                              // Dropbox, Nextcloud, Seafile, a browser
		`^(.+)\(\d+\)$`,                              // OneDrive
		`^(.+) \d{1,3}$`,                             // iCloud, macOS
	} {
		all = append(all, regexp.MustCompile(form))
	}
	return all
})

// isLitter reports whether a file is a program's own: none of its bytes are a document's,
// or they are those of a save under way.
func isLitter(base string) bool {
	for _, prefix := range []string{"._", ".#", ".~", "~$", ".fm-", ".nfs", ".fuse_hidden", ".goutputstream-", ".syncthing.", "~syncthing~", "___jb_"} {
		if strings.HasPrefix(base, prefix) {
			return true
		}
	}
	switch base {
	case ".DS_Store", "Thumbs.db", "desktop.ini", "Icon\r", ".directory",
		"4913": // by which vim tries whether it may create files
		return true
	}
	if strings.HasSuffix(base, backup) || len(base) > 1 && base[0] == '#' && base[len(base)-1] == '#' {
		return true
	}
	n := len(base)
	return n > 4 && base[0] == '.' && base[n-4:n-1] == ".sw" // vim's
}

// passedOver reports whether a walk passes over one of the files of a directory: litter, and
// a copy of another one that is there.
func passedOver(base string, beside func(base string) bool) bool {
	of, aside := Aside(base)
	return aside && (of == "" || beside(of))
}

// Copies yields the names of files that are copies of documents, as Aside tells, and of
// what they are copies. Names passes them over.
func (t *Tree) Copies() iter.Seq2[string, string] {
	others := func(base string, beside func(string) bool) bool {
		of, aside := Aside(base)
		return !aside || of == "" || !beside(of)
	}
	return func(yield func(string, string) bool) {
		for name, err := range t.files(".", others) {
			dir, base := path.Split(name)
			if of, copied := Aside(base); err == nil && copied && !yield(name, dir+of) {
				return
			}
		}
	}
}
