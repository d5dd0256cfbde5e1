//go:build linux

package faults_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

const (
	local = ".forgemind/.local/"
	state = ".forgemind/context/current-context.json"
)

// What differs between two runs of one command: times, new ids, and figures that
// are kept in `.local/` until a checkpoint and may be lost there.
var volatile = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "TIME"},
	{regexp.MustCompile(`\d{8}T\d{6}\.\d{3}Z`), "STAMP"},
	{regexp.MustCompile(`\d{8}T\d{9}Z-[0-9a-z]{12}\b`), "STAMP-NEW"},
	{regexp.MustCompile(`\.([a-z]+)-[0-9a-z]{12}\.json`), ".$1-NEW.json"}, // a change of a record
	{regexp.MustCompile(`(?m)^( +)"[0-9a-z]{12}"(,?)$`), `$1"NEW"$2`},     // of those that it saw
	{regexp.MustCompile(`(clarifications/[0-9A-Za-z-]+)-[0-9A-Z]{12}\.json`), "$1-NEW.json"},
	{regexp.MustCompile(`"rendered": "[0-9a-z]+"`), `"rendered": "SUM"`},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d`), "DATE"},
	{regexp.MustCompile(`\b(msg|Q|goal|con|note|frag|thread|handoff|pin|ACT|session-DATE)-[0-9A-Za-z]{6}\b`), "$1-NEW"},
	{regexp.MustCompile(`(fragments/DATE-[0-9a-z-]+)-[0-9a-z]{6}\.md`), "$1-NEW.md"},
	{regexp.MustCompile(`((threads/[0-9a-z-]+|handoffs)/[0-9a-z-]+)-[0-9a-z]{6}(\.json|/)`), "$1-NEW$3"},
	{regexp.MustCompile(`"hours":[0-9.]+`), `"hours":N`},
	{regexp.MustCompile(`"sha256":"[0-9a-f]{64}"`), `"sha256":"SUM"`}, // of a conversation that has new ids
	{regexp.MustCompile(`"digests":\[[^\]]*\]`), `"digests":[]`},      // of its lines
	{regexp.MustCompile(`"session_duration_minutes": [0-9.]+`), `"session_duration_minutes": N`},
	{regexp.MustCompile(`"(messages_exchanged|clarifications_made|decisions_recorded|files_updated|commands_executed|errors_encountered)": \d+`), `"$1": N`},
}

var (
	decisionID = regexp.MustCompile(`DEC-[0-9A-Z]{6,}`)
	sessionID  = regexp.MustCompile(`conv-\d{4}-\d\d-\d\d-[0-9a-z]{6}`)
	derivedID  = regexp.MustCompile(`\b(chunk|compaction|msg|pin|thread|note)-[0-9a-z]{12}\b`) // from what has new ids
)

// A comparison says how documents are compared: ids that are known stay. The lines that
// it met are kept, for most documents are the same each time.
type comparison struct {
	known map[string]bool
	lines sync.Map // as they are compared, by the line of the document
}

// of returns a document as it is compared.
func (s *comparison) of(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		compared, met := s.lines.Load(line)
		if !met {
			compared = s.line(line)
			s.lines.Store(line, compared)
		}
		b.WriteString(compared.(string))
	}
	return b.String()
}

func (s *comparison) line(text string) string {
	for pattern, instead := range map[*regexp.Regexp]string{decisionID: "DEC-NEW", sessionID: "conv-NEW", derivedID: "derived-NEW"} {
		text = pattern.ReplaceAllStringFunc(text, func(id string) string {
			if s.known[id] {
				return id
			}
			return instead
		})
	}
	for _, v := range volatile {
		text = v.pattern.ReplaceAllString(text, v.instead)
	}
	return text
}

// A snapshot is what stands in a tree, in the project directory around it and in the home beside
// that, one string per document: name, mode and text. Two runs of the same command on copies of
// one tree give the same snapshot.
type snapshot []string

func look(t *testing.T, dir string, s *comparison) (all snapshot) {
	t.Helper()
	for path, info := range below(filepath.Dir(dir), t.Error) {
		name, _ := filepath.Rel(dir, path)
		text := ""
		if !info.IsDir() {
			text = read(t, dir, name)
		}
		doc := fmt.Sprintf("%s %v\n%s", name, info.Mode(), text)
		switch {
		case name == ".." || name == "../log" || name == "../home" || strings.HasPrefix(name, "../home/.local"):
		case !inTree(name):
			all = append(all, doc) // byte for byte
		case info.IsDir():
		case strings.Contains(name, "/.local/") && !strings.HasSuffix(name, "/acted.json") && !strings.HasSuffix(name, "/usage.json"):
			// Counters are allowed to be lost in a crash.
		default:
			if strings.HasSuffix(name, ".json") && !json.Valid([]byte(text)) {
				t.Errorf("%s is broken JSON: %d bytes, %.200q", name, len(text), text)
			}
			all = append(all, s.of(doc))
		}
	}
	slices.Sort(all)
	return all
}

// inTree reports whether a name is one of a tree, or of a document in it.
func inTree(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return first == ".forgemind" || first == ".quaid"
}

// madeOf returns the documents of p that are in none of the snapshots.
func (p snapshot) madeOf(snapshots ...snapshot) (strange []string) {
	for _, doc := range p {
		if !slices.ContainsFunc(snapshots, func(q snapshot) bool { return slices.Contains(q, doc) }) {
			strange = append(strange, doc)
		}
	}
	return strange
}

// without returns the documents that p has and q has not, and of those that q has
// in another version the lines that are not in that.
func (p snapshot) without(q snapshot) string {
	var b strings.Builder
	for _, doc := range p.madeOf(q) {
		name, lines, _ := strings.Cut(doc, "\n")
		other := q.named(name)
		fmt.Fprintf(&b, "  %s (there: %d bytes)\n", name, len(other))
		var strange strings.Builder
		for line := range strings.Lines(lines) {
			if !strings.Contains(other, line) {
				strange.WriteString("    " + line)
			}
		}
		b.WriteString(cut(strange.String()))
	}
	return b.String()
}

// named returns the text of the document of p whose first line is name, "" if there is none.
func (p snapshot) named(name string) string {
	for _, doc := range p {
		if first, text, _ := strings.Cut(doc, "\n"); first == name {
			return text
		}
	}
	return ""
}

// pick returns the documents of p whose names, followed by a space, match a pattern, or those
// whose names do not.
func (p snapshot) pick(pattern *regexp.Regexp, match bool) (some snapshot) {
	for _, doc := range p {
		if pattern.MatchString(doc) == match {
			some = append(some, doc)
		}
	}
	return some
}

var (
	states  = regexp.MustCompile(`^` + regexp.QuoteMeta(state) + ` `)
	logs    = regexp.MustCompile(`^\.forgemind/logs/`)
	scratch = regexp.MustCompile(`^([^ ]*/)?\.forgemind-[^/ ]*~ `) // a file that is being written beside the one that it is to replace
)

// under returns the document of p that has a name, as a snapshot.
func (p snapshot) under(name string) snapshot {
	return p.pick(regexp.MustCompile(`^`+regexp.QuoteMeta(name)+` `), true)
}

// gone returns the documents outside the trees that are in old, under their names in done, and
// not in p.
func (p snapshot) gone(old, done snapshot) snapshot {
	return slices.DeleteFunc(slices.Clone(old), func(doc string) bool {
		name, _, _ := strings.Cut(doc, " ")
		return inTree(name) || len(done.under(name)) == 0 || len(p.under(name)) > 0
	})
}

// noLitter checks that nothing is in `.local/` that belongs to a command that is not done,
// and that no save was said to be displaced: nobody saved.
func noLitter(t *testing.T, dir string) bool {
	t.Helper()
	clean := true
	litter := func(name, text string) {
		t.Errorf("litter: %s: %s", name, cut(text))
		clean = false
	}
	for name, text := range documents(t, dir) {
		folder, rest, inLocal := strings.Cut(name, "/.local/")
		first, file, _ := strings.Cut(rest, "/")
		switch {
		case !inLocal:
			if strings.HasSuffix(name, "~") {
				litter(name, "")
			}
		case rest == ".gitignore":
			if text != "*\n" {
				litter(name, text)
			}
		case first == "stage" && strings.Contains(file, flat("/.local/")+"cold-"):
			// An index that somebody began who only read: whoever writes in a minute or later clears it away.
		case first == "trash": // of documents that were removed
			if !strings.Contains(file, flat(folder)) || strings.Contains(file, flat("/.local/")) {
				litter(name, "")
			}
		case !slices.Contains(strings.Fields("lock holder rendered acted acted.json counters.json conversation.json access.json index displaced last usage.json watch.lock watch.json reset.json"), first):
			litter(name, text)
		}
	}
	return clean
}

// flat returns a path as it stands in the name of a file that was put away.
func flat(path string) string { return strings.ReplaceAll(path, "/", "%2F") }
