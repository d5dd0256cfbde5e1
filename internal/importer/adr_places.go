package importer

import (
	iofs "io/fs"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/text"
)

// adrDirs lists where decision records usually are.
var adrDirs = []string{
	"docs/adr", "doc/adr", "docs/adrs", "doc/adrs", "docs/ADR", "docs/ADRs", "doc/arch", "docs/decisions", "doc/decisions", "docs/decision-records", "docs/architecture/decisions",
	"doc/architecture/decisions", "docs/architecture/adr", "docs/architecture/adrs", "docs/architecture-decisions", "docs/architecture-decision-records", "docs/architectural-decisions", "docs/contributing/adr",
	"docs/dev/adr", "docs/developer/adr", "docs/design/adr", "docs/source/adr", "docs/content/adr", "architecture/decisions", "architecture/adr", "architecture-decisions",
	"architecture-decision-records", "adr", "adrs", "ADR", "decisions",
}

// adrPlaces returns the folders of decision records in a tree: those that the files of adr-tools and
// Log4brains name, and the usual ones.
func adrPlaces(r fs.Reader) (all []string) {
	dirs := append(namedDirs(r), adrDirs...)
	seen := map[string]bool{}
	for _, dir := range dirs {
		if seen[strings.ToLower(dir)] || below(dir, all) {
			continue
		}
		seen[strings.ToLower(dir)] = true
		for name, err := range r.Names(dir) {
			if err == nil && isMarkdown(name) && name != dir {
				all = append(all, dir)
				break
			}
		}
	}
	return all
}

// below reports whether dir is in one of dirs.
func below(dir string, dirs []string) bool {
	for _, d := range dirs {
		if strings.HasPrefix(dir, d+"/") {
			return true
		}
	}
	return false
}

// namedDirs returns the folders that .adr-dir and .log4brains.yml name.
func namedDirs(r fs.Reader) (all []string) {
	var named []string
	if src, err := r.Read(".adr-dir"); err == nil {
		named = append(named, string(src))
	}
	if src, err := r.Read(".log4brains.yml"); err == nil && len(src) < maxFile {
		for l := range strings.Lines(string(src)) {
			key, value, ok := strings.Cut(strings.TrimLeft(l, " \t-"), ":")
			if ok && key == "adrFolder" && len(named) < maxEntries {
				named = append(named, value)
			}
		}
	}
	for _, dir := range named {
		dir = path.Clean(strings.Trim(strings.TrimSpace(dir), `"'`))
		if iofs.ValidPath(dir) && dir != "." && len(dir) < 200 && text.Line(dir) == dir {
			all = append(all, dir)
		}
	}
	return all
}
