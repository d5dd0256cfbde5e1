package recall

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// maxSlug is the maximum length of the part of a file name that is made from a title,
// in bytes.
const maxSlug = 50

// fragmentsDir returns the directory of the fragments of a folder.
func fragmentsDir(home string) string { return home + "/" + fs.MemoryDir + "/fragments" }

// FragmentName returns the name of a new fragment below home, which is one of the two
// folders: <date>-<slug>.md. The slug ends in a part of the id, so that two branches
// never write the same file; if the name is taken, a number is appended.
func FragmentName(r fs.Reader, home, title, id string, at time.Time) (string, error) {
	taken := map[string]bool{}
	for name, err := range r.Names(fragmentsDir(home)) {
		if err != nil {
			return "", fmt.Errorf("list the fragments: %w", err)
		}
		taken[strings.ToLower(name)] = true // some file systems ignore case
	}
	stem := fragmentsDir(home) + "/" + at.UTC().Format(time.DateOnly) + "-" + slug(title) + "-" + strings.TrimPrefix(id, "frag-")
	name := stem + ".md"
	for n := 2; taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s-%d.md", stem, n)
	}
	if !strings.HasPrefix(name, fs.Forgemind+"/") && !strings.HasPrefix(name, fs.Quaid+"/") {
		return "", errors.New("a fragment belongs in .forgemind or .quaid, not in " + cut(home))
	}
	return name, nil
}

// TakenFragmentID returns a function that reports whether the name of a fragment below home
// ends in an id.
func TakenFragmentID(r fs.Reader, home string) func(id string) bool {
	return func(id string) bool {
		for name, err := range r.Names(fragmentsDir(home)) {
			if err == nil && strings.HasSuffix(name, "-"+strings.TrimPrefix(id, "frag-")+".md") {
				return true
			}
		}
		return false
	}
}

// slug returns a title in lower case ASCII letters, digits and hyphens, cut between
// words. If almost nothing of a title is left, the slug is derived from all of it.
func slug(title string) string {
	var b strings.Builder
	letters := 0 // letters and digits of any script
	for _, r := range relevance.StripDiacritics(strings.ToLower(oneLine(title))) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
			letters++
		case r == '\'' || r == '’': // inside of a word
		default:
			b.WriteByte('-')
			if r > '~' {
				letters++
			}
		}
	}
	words := strings.FieldsFunc(b.String(), func(r rune) bool { return r == '-' })
	said := strings.Join(words, "-")
	if len(said) < 2 || 4*len(strings.Join(words, "")) < letters {
		hash := schema.DerivedID("", []byte(title))[:6]
		said = strings.Trim(said+"-fragment-"+hash, "-")
		if len(said) > maxSlug {
			said = "fragment-" + hash
		}
	}
	if len(said) <= maxSlug {
		return said
	}
	said = said[:maxSlug+1]
	if at := strings.LastIndexByte(said, '-'); at > maxSlug/2 {
		return said[:at]
	}
	return said[:maxSlug]
}
