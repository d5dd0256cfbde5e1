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
// for synchronizing folders or a file manager made. of is the name of what a
// copy was made of, "" of what is no copy. Of markdown, which people name as they like,
// only names that nobody gives are those of copies; a JSONL file that has a place of its
// own is none, because its lines are read beside those of others.
func Aside(name string) (of string, is bool) {
	dir, base := path.Split(name)
	if isLitter(base) {
		return "", true
	}
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	mark := func(text string) bool { return strings.Contains(stem, text) }
	if !slices.ContainsFunc([]string{" ", "(", "conflict-"}, mark) {
		return "", false // as most names
	}
	forms := sureForms
	switch doc := Place(name); {
	case ext == ".md":
	case doc == NoDoc, ext == ".json" && (doc == DocDecision || doc == DocChange || doc == DocMessage || doc.isRecord()):
		forms = allForms
	case ext == ".jsonl":
		return "", false
	}
	for _, form := range forms() {
		if m := form.FindStringSubmatch(stem); m != nil {
			of = dir + m[1] + ext
			break
		}
	}
	if of == "" || ext != ".md" && Place(of) == NoDoc {
		return "", false
	}
	return of, true
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

// PassedOver reports whether readers pass over the file called name: litter, and a copy of
// a file that stands.
func PassedOver(name string, stands func(name string) bool) bool {
	of, aside := Aside(name)
	return aside && (of == "" || stands(of))
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
