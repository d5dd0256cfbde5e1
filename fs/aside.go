package fs

import (
	"errors"
	iofs "io/fs"
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// PassedOver reports whether readers of r pass over the file called name, or with a slash
// behind it the folder: it is litter, or a copy that a program for synchronizing folders or
// a file manager made of a file that is there, or of the folder of a session or of records
// that it is in. of is the name of what it is a copy of, "" of litter.
func PassedOver(r Reader, name string) (of string, over bool) {
	if IsLitter(name) {
		return "", true
	}
	if folder, original := copiedFolder(name); original != "" && (!isSession(folder) || holdsSession(r, original)) {
		return original + name[len(folder):], true
	}
	if of := copiedFile(name); of != "" && isThere(r, of) {
		return of, true
	}
	return "", false
}

// Originals returns the names of what the file called name may be a copy of, by its name:
// a file, or the folder of a session that it may be in a copy of.
func Originals(name string) (all []string) {
	if folder, original := copiedFolder(name); isSession(folder) {
		all = append(all, original)
	} else if original != "" {
		all = append(all, original+name[len(folder):])
	}
	if of := copiedFile(name); of != "" {
		all = append(all, of)
	}
	return all
}

// isThere reports whether anything stands at name in r.
func isThere(r Reader, name string) bool {
	if t, ok := r.(interface {
		Look(name string) (iofs.FileInfo, error)
	}); ok {
		_, err := t.Look(name)
		return err == nil
	}
	_, err := r.Read(name)
	return !errors.Is(err, iofs.ErrNotExist)
}

// copiedFolder returns the folder that the file called name is in and that is called as a
// copy of another one, with the name of that one; "" if it is in none. Only folders that
// forgemind names are looked at: those of sessions, and those of records, for what would
// be a record in the original.
func copiedFolder(name string) (folder, original string) {
	home, rest, _ := strings.Cut(name, "/")
	dir := home + "/"
	if below, ok := strings.CutPrefix(name, Sessions+"/"); ok {
		dir, rest = Sessions+"/", below
	}
	base, below, isIn := strings.Cut(rest, "/")
	if !isIn {
		return "", ""
	}
	of := originalName(base, allForms)
	if of == "" || dir != Sessions+"/" && !isRecordOrChange(Place(dir+of+"/"+below)) {
		return "", ""
	}
	return dir + base, dir + of
}

func isSession(folder string) bool { return path.Dir(folder) == Sessions }

// holdsSession reports whether the documents of a session are in folder, and can be read.
func holdsSession(r Reader, folder string) bool {
	for _, base := range []string{"metadata.json", "hot_context.json"} {
		name := folder + "/" + base
		if !isThere(r, name) { // though a reader may show it
			continue
		}
		if src, err := r.Read(name); err == nil {
			_, err = jsonedit.Parse(src)
			return err == nil
		}
	}
	return slices.ContainsFunc([]string{"recent_history.jsonl", "archive.jsonl"}, func(base string) bool {
		src, err := r.Read(folder + "/" + base)
		return err == nil && len(src) > 0
	})
}

// copiedFile returns the name of the file that the one called name is called as a copy of;
// "" if it is not. Of markdown, which people name as they like, only names that nobody
// gives are those of copies; a JSONL file that has a place of its own is none, because its
// lines are read beside those of others.
func copiedFile(name string) (original string) {
	dir, base := path.Split(name)
	ext := path.Ext(base)
	forms := sureForms
	switch doc := Place(name); {
	case ext == ".md":
	case doc == NoDoc, ext == ".json" && (isRecordOrChange(doc) || doc == DocMessage):
		forms = allForms
	case ext == ".jsonl":
		return ""
	}
	of := originalName(strings.TrimSuffix(base, ext), forms)
	if original = dir + of + ext; of == "" || ext != ".md" && Place(original) == NoDoc {
		return ""
	}
	return original
}

func isRecordOrChange(doc Doc) bool { return doc == DocDecision || doc == DocChange || doc.isRecord() }

// originalName returns the name of what a copy called stem in one of forms was made of; ""
// if it is called in none.
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

// IsLitter reports whether a file is none of a person's, by its name: a system's, or what
// an editor needs while it is open.
func IsLitter(name string) bool {
	_, base := path.Split(name)
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
	if strings.HasSuffix(base, backup) || base != "" && base[0] == '.' && strings.HasSuffix(base, ".icloud") || // a file that is not downloaded
		len(base) > 1 && base[0] == '#' && base[len(base)-1] == '#' {
		return true
	}
	n := len(base)
	return n > 4 && base[0] == '.' && base[n-4:n-1] == ".sw" // vim's
}

// Everything returns a reader of t whose Names pass over nothing.
func (t *Tree) Everything() Reader { return everything{t} }

type everything struct{ *Tree }

func (e everything) Names(dir string) iter.Seq2[string, error] {
	return e.files(dir, func(string) bool { return false })
}
