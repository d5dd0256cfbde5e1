package brief

import (
	"iter"
	"path"
	"strings"
	"unicode/utf8"
)

// A Record is something written that may govern files.
type Record struct {
	ID           string
	Date         string   // RFC 3339, or a day
	Text         string   // what it says, for people
	File         string   // the Name of the document that it stands in
	Paths        []string // that it says it is about
	Said         []string // in which it may name paths
	SupersededBy string   // "" where it holds
}

// A Governor is a Record that names a path, or a folder above it.
type Governor struct {
	ID           string `json:"id"`
	Date         string `json:"date"`
	Text         string `json:"text"`
	File         string `json:"file"`
	Names        string `json:"names"` // the path as it stands there, in the form in which paths are compared
	By           string `json:"by"`    // how that names the path that was asked for; see below
	SupersededBy string `json:"superseded_by,omitempty"`
}

// How a Governor names a path.
const (
	ByPath    = "path"    // itself
	ByFolder  = "folder"  // a folder above it
	ByPattern = "pattern" // a pattern that it matches
	ByName    = "name"    // the end of it, such as its name without the folders
	Below     = "below"   // something below it
	ByFormer  = "former"  // by what it was called before
)

// longestSaid bounds what one record is searched for, in bytes.
const longestSaid = 1 << 20

// Governs says whether a record names at, a slash path relative to the project
// directory, or a folder above it; of a folder also, whether it names something
// below it. A slash at the end says that it is a folder: only then is a pattern
// known to be of what is below. fold returns the form in which paths are compared, also of
// those in a text; see fs.Tree.Fold.
func (r *Record) Governs(at string, fold func(string) string) (Governor, bool) {
	named, by := r.naming(fold(at), fold)
	if by == "" {
		return Governor{}, false
	}
	return Governor{
		ID: mark(r.ID), Date: day(r.Date), Text: plain(r.Text, 300), File: plain(r.File, 200), SupersededBy: mark(r.SupersededBy),
		Names: plain(named, 200), By: by,
	}, true
}

// naming returns what in a record names at, and how. at is folded.
func (r *Record) naming(at string, fold func(string) string) (named, by string) {
	at, isFolder := strings.CutSuffix(at, "/")
	isFolder = isFolder || at == "."
	for _, p := range r.Paths {
		if strings.IndexByte(p, '{') < 0 {
			if by := names(fold(p), at, isFolder, true); by != "" {
				return p, by
			}
			continue
		}
		for _, one := range braces(fold(p)) {
			if by := names(one, at, isFolder, true); by != "" {
				return p, by
			}
		}
	}
	for _, text := range r.Said {
		text = fold(text[:min(len(text), longestSaid)])
		if !mayName(text, at) {
			continue
		}
		for word := range candidates(text, at) {
			if by := names(strings.TrimRight(word, ".:!?"), at, isFolder, false); by != "" {
				return word, by
			}
		}
	}
	return "", ""
}

// mayName says whether a text has candidates at all: most have none.
func mayName(text, at string) bool {
	return at == "." || strings.IndexByte(text, '/') >= 0 || strings.IndexByte(text, '*') >= 0 || strings.IndexByte(text, '\\') >= 0 ||
		strings.Contains(text, path.Base(at))
}

// candidates are the words of a text that may name at: those with a slash or a
// star in them, or with the name that at ends in. The others are not looked at one
// by one, for texts are many and paths are few.
func candidates(text, at string) iter.Seq[string] {
	if at == "." {
		return strings.FieldsFuncSeq(text, parts)
	}
	base := path.Base(at)
	after := func(from, n int) int { // n bytes behind from; the end for none
		if n < 0 {
			return len(text)
		}
		return from + n
	}
	return func(yield func(string) bool) {
		sign, name := -1, -1 // the next of each
		for from := 0; from < len(text); {
			if sign < from {
				sign = after(from, strings.IndexAny(text[from:], `/*\`))
			}
			if name < from {
				name = after(from, strings.Index(text[from:], base))
			}
			found := min(sign, name)
			if found == len(text) {
				return
			}
			begin := from
			if i := strings.LastIndexFunc(text[from:found], parts); i >= 0 {
				_, size := utf8.DecodeRuneInString(text[from+i:])
				begin += i + size
			}
			end := after(found, strings.IndexFunc(text[found:], parts))
			if begin < end && !yield(text[begin:end]) {
				return
			}
			from = max(end, found+1) // a name may itself hold what stands between words
		}
	}
}

// parts says whether r stands between the words of a text that may be paths.
func parts(r rune) bool {
	switch {
	case r <= ' ':
		return true
	case r < utf8.RuneSelf:
		const ascii = "\"'`,;()<>|="
		return strings.IndexByte(ascii, byte(r)) >= 0
	}
	return strings.ContainsRune("\u00a0\u0085\u2028\u2029“”„‘’«»", r)
}

// names says how a word names at: by one of the words above, or not at all, "".
// meant: it is a path, and no word of a sentence.
func names(word, at string, isFolder, meant bool) string {
	if strings.Contains(word, "://") {
		return ""
	}
	word = strings.ReplaceAll(strings.TrimSpace(word), `\`, "/")
	file, line, _ := strings.Cut(word, ":")
	if strings.Trim(line, "0123456789:-") == "" { // of a file
		word = file
	}
	word, _, _ = strings.Cut(word, "#L")
	folder := strings.HasSuffix(word, "/")
	if word == "" || word[0] == '/' {
		return ""
	}
	word = path.Clean(word)
	slash := strings.Contains(word, "/")
	switch {
	case word == "." && !meant, strings.HasPrefix(word, ".."):
		return ""
	case word == at:
		return ByPath
	case word == ".":
		return ByFolder
	case strings.ContainsAny(word, "*?["):
		if slash || meant || len(word) > len("*.") && strings.HasPrefix(word, "*.") {
			return matches(word, at, isFolder)
		}
		return ""
	case strings.HasPrefix(at, word+"/") && (meant || slash || folder):
		return ByFolder
	case (at == "." || strings.HasPrefix(word, at+"/")) && (meant || slash):
		return Below
	case slash && strings.HasSuffix(at, "/"+word), !slash && strings.Contains(word, ".") && path.Base(at) == word:
		return ByName
	}
	return ""
}
