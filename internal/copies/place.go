package copies

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// Home returns the folder in which forgemind keeps the user's state, as the environment names it.
// It returns "" if no home directory is known.
func Home(getenv func(string) string) string {
	if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) { // the XDG specification ignores relative paths
		return filepath.Join(dir, "forgemind")
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if dir := getenv(name); filepath.IsAbs(dir) {
			return filepath.Join(dir, ".local", "state", "forgemind")
		}
	}
	return ""
}

// An Origin identifies the tree that a folder of copies belongs to. It is stored in that folder as
// origin.json.
type Origin struct {
	Format  int    `json:"format"` // format of the folder: 1
	Tree    string `json:"tree"`   // absolute path without symbolic links
	Name    string `json:"name"`   // name of the project
	Project string `json:"project,omitempty"`
	At      string `json:"at,omitempty"` // time of the last update
}

const (
	originFile = "origin.json"
	format     = 1
)

// originOf returns the origin for copies of a tree. It identifies the project by its name and, if
// there is one, by its id.
func originOf(tree *fs.Tree) (Origin, error) {
	path, err := tree.RealRoot()
	if err != nil {
		return Origin{}, err
	}
	o := Origin{Format: format, Tree: path, Name: filepath.Base(path)}
	var project schema.ProjectFacts
	if src, err := tree.Read(fs.ProjectFile); err == nil && jsonedit.Decode(src, &project) == nil {
		o.Project = project.ID
		if project.Name != "" {
			o.Name = project.Name
		}
	}
	return o, nil
}

// dir returns the folder for the copies below home.
func (o Origin) dir(home string) string {
	sum := sha256.Sum256([]byte(o.Project + "\x00" + o.Tree))
	return filepath.Join(home, readable(filepath.Base(o.Tree))+"-"+hex.EncodeToString(sum[:6]))
}

// readable returns s with a hyphen for each character that is not an ASCII letter, a digit, a dot
// or a hyphen.
func readable(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '-'
	}, s)
	if s = strings.Trim(s[:min(len(s), 40)], ".-"); s == "" {
		return "tree"
	}
	return s
}

// sameProject reports whether both origins belong to one project, as far as that is known.
func (o Origin) sameProject(other Origin) bool {
	if o.Project != "" || other.Project != "" {
		return o.Project == other.Project
	}
	return o.Name == other.Name
}

// readOrigin reads the origin of the copies in a folder.
func readOrigin(dir *fs.CopyDir) (o Origin, err error) {
	src, err := dir.Read(originFile)
	if err == nil {
		err = jsonedit.Decode(src, &o)
	}
	return o, err
}

// writeOrigin records in the folder that the copies were up to date at a time.
func writeOrigin(dir *fs.CopyDir, o Origin, at time.Time) error {
	old, err := dir.Read(originFile)
	if err != nil && !isMissing(err) {
		return err
	}
	o.At = schema.FormatTime(at)
	text, err := jsonedit.Marshal(o)
	if err == nil {
		_, err = dir.Replace(originFile, old, text, 0o600)
	}
	return err
}
