package fs

import (
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Aside reports whether the file called name is one that a program leaves beside documents: an
// editor's backup or lock, what a system notes about a folder, or a copy that a program
// for synchronizing folders or a file manager made of the file or of a folder it is in.
// of is the name of what a copy was made of, "" of what is no copy. Of markdown, which
// people name as they like, only names that nobody gives are those of copies; a JSONL file
// that has a place of its own is none, because its lines are read beside those of others.
func Aside(name string) (of string, is bool) {
	if isLitter(path.Base(name)) {
		return "", true
	}
	for folder := range foldersOf(name) {
		if of := originalFolder(folder); of != "" {
			return of + name[len(folder):], true
		}
	}
	of = originalFile(name)
	return of, of != ""
}

// originalFile returns the name of the file that the one called name is called as a copy
// of; "" if it is not.
func originalFile(name string) string {
	dir, base := path.Split(name)
	ext := path.Ext(base)
	forms := sureForms
	switch doc := Place(name); {
	case ext == ".md":
	case doc == NoDoc, ext == ".json" && (doc == DocDecision || doc == DocChange || doc == DocMessage || doc.isRecord()):
		forms = allForms
	case ext == ".jsonl":
		return ""
	}
	original := originalName(strings.TrimSuffix(base, ext), forms)
	if of := dir + original + ext; original != "" && (ext == ".md" || Place(of) != NoDoc) {
		return of
	}
	return ""
}

// foldersOf yields the folders below the tree's own that name stands in, the outermost
// first.
func foldersOf(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for at, c := range name {
			if c == '/' && strings.IndexByte(name, '/') < at && !yield(name[:at]) {
				return
			}
		}
	}
}

// originalFolder returns the name of the folder that the one called folder is called as a
// copy of; "" if it is not. People name channels, threads and projects as they like.
func originalFolder(folder string) (of string) {
	dir, base := path.Split(folder)
	forms := allForms
	_, kind, _ := strings.Cut(folder, "/")
	switch kind, _, _ = strings.Cut(kind, "/"); kind {
	case ThreadsDir, ChannelsDir, "projects":
		forms = sureForms
	}
	if original := originalName(base, forms); original != "" {
		return dir + original
	}
	return ""
}

// originalName returns what a copy called stem in one of forms was made of; "" if it is
// called in none.
func originalName(stem string, forms func() []*regexp.Regexp) string {
	mark := func(text string) bool { return strings.Contains(stem, text) }
	if !slices.ContainsFunc([]string{" ", "(", "conflict-"}, mark) {
		return "" // as most names
	}
	for _, form := range forms() {
		if m := form.FindStringSubmatch(stem); m != nil {
			return m[1]
		}
	}
	return ""
}

// sureForms are the forms in which programs call copies of a file and people do not,
// without its extension. The first group is how the file is called.
var sureForms = sync.OnceValue(func() []*regexp.Regexp {
	return compiled(
		`^(.+)\.sync-conflict-\d{8}-\d{6}(?:-\w+)?$`,                // Syncthing
		`^(.+)_conflict-\d{8}-\d{6}$`,                               // ownCloud
		`^(.+) \((?:.* )?(?:conflicted copy|SFConflict)(?: .*)?\)$`, // Dropbox, Nextcloud, Seafile
	)
})

// allForms are the forms of copies where a name is an id, which holds no space.
var allForms = sync.OnceValue(func() []*regexp.Regexp {
	return append(slices.Clone(sureForms()), compiled(
		`^Copy (?:\(\d+\) )?of (.+)$`,                // Google Drive, Windows
		`^(.+?)(?: - Copy| copy)(?: \(\d+\)| \d+)?$`, // Windows, macOS
		`^(.+) \(.+\)$`,                              // a browser, and others in any language
		`^(.+)\(\d+\)$`,                              // OneDrive
		`^(.+) \d{1,3}$`,                             // iCloud, macOS
	)...)
})

func compiled(forms ...string) (all []*regexp.Regexp) {
	for _, form := range forms {
		all = append(all, regexp.MustCompile(form))
	}
	return all
}

// isLitter reports whether a file is none of a person's: a system's, or what an editor
// needs while it is open.
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

// PassedOver reports whether readers pass over the file called name, or with a slash behind
// it the folder: litter, and a copy of a file or a folder that stands.
func PassedOver(name string, stands func(name string) bool) bool {
	if _, base := path.Split(name); isLitter(base) {
		return true
	}
	for folder := range foldersOf(name) {
		if of := originalFolder(folder); of != "" && stands(of) {
			return true
		}
	}
	of := originalFile(name)
	return of != "" && stands(of)
}

// passedOver is PassedOver of a name in dir, in which others stand.
func passedOver(dir, base string, others []string) bool {
	return PassedOver(dir+"/"+base, func(of string) bool { return path.Dir(of) == dir && slices.Contains(others, path.Base(of)) })
}

// IsPassedOver is PassedOver of what stands in t.
func (t *Tree) IsPassedOver(name string) bool {
	return PassedOver(name, func(of string) bool { _, err := t.Look(of); return err == nil })
}

// Everything returns a reader of t whose Names pass over nothing.
func (t *Tree) Everything() Reader { return everything{t} }

type everything struct{ *Tree }

func (e everything) Names(dir string) iter.Seq2[string, error] {
	return e.files(dir, func(string, func(string) bool) bool { return false })
}
