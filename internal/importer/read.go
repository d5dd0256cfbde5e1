package importer

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/internal/text"
)

// The formats of sources.
const (
	ADR        = "adr"
	Rules      = "rules"
	Git        = "git"
	MemoryBank = "memory-bank"
	Ctx        = "ctx"
	Beads      = "beads"
	Backlog    = "backlog"
	Notes      = "basic-memory"
	JSON       = "json"
)

// A File is a file of a source.
type File struct {
	Name string
	Src  []byte
}

// A Format is a kind of source that can be imported.
type Format struct {
	Name    string
	Summary string
	Noun    string // for what it holds, such as "decision record"

	places func(r fs.Reader) []string // files and directories where it is usually found
	take   func(files []File, res *Result)
	wants  func(name string) bool // files of a directory; nil is all
	follow bool                   // files name others; see readRules
}

// Formats returns the kinds of sources in the order in which they are looked for. Commits and the
// export of forgemind are read by [Commits] and by [Export].
func Formats() []Format {
	return []Format{
		{ADR, "decision records (MADR, Nygard, adr-tools, Log4brains)", "decision record", adrPlaces, readADR, isText, false},
		{Rules, "instruction files for agents (CLAUDE.md, AGENTS.md, Cursor, Copilot, Gemini)", "rule", rulePlaces, nil, isRules, true},
		{MemoryBank, "a memory bank (Cline)", "item", existing("memory-bank", ".memory-bank", "docs/memory-bank"), readMemoryBank, isMarkdown, false},
		{Ctx, "a folder .context of ctx", "item", existing(".context"), readCtx, isMarkdown, false},
		{Beads, "issues of beads", "issue", existing(".beads"), readBeads, func(name string) bool { return path.Ext(name) == ".jsonl" }, false},
		{Backlog, "tasks and decisions of Backlog.md", "item", backlogPlaces, readBacklog, isMarkdown, false},
		{Notes, "notes of basic-memory", "note", existing("basic-memory", ".basic-memory"), readNotes, isMarkdown, false},
	}
}

// Limits of what is read.
const (
	maxFile  = 1 << 20  // bytes
	maxFiles = 5000     // of a source
	maxAll   = 64 << 20 // bytes of all files of a source
)

func isMarkdown(name string) bool {
	return slices.Contains([]string{".md", ".markdown", ".mdx"}, strings.ToLower(path.Ext(name)))
}

func isText(name string) bool {
	return isMarkdown(name) || slices.Contains([]string{".adoc", ".rst"}, strings.ToLower(path.Ext(name)))
}

// existing returns a function that returns those of the names that exist.
func existing(names ...string) func(fs.Reader) []string {
	return func(r fs.Reader) (all []string) {
		for _, name := range names {
			for range r.Names(name) {
				all = append(all, name)
				break
			}
		}
		return all
	}
}

// FormatNamed returns the format with a name. It returns false if there is none.
func FormatNamed(name string) (Format, bool) {
	all := Formats()
	i := slices.IndexFunc(all, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return all[i], true
}

// Places returns the files and directories in the tree of r that a format is usually found in.
func (f Format) Places(r fs.Reader) []string { return f.places(r) }

// Read reads files and the directories that hold them.
func (f Format) Read(r fs.Reader, places []string) (Result, error) {
	res := Result{Format: f.Name}
	files, err := f.collect(r, places, &res)
	if err != nil {
		return res, err
	}
	if f.follow {
		files = readRules(files, func(name string) ([]byte, error) { return res.read(r, name) }, &res)
	} else {
		f.take(files, &res)
	}
	for _, file := range files {
		res.Files = append(res.Files, file.Name)
	}
	slices.Sort(res.Files)
	res.Files = slices.Compact(res.Files)
	return res, nil
}

// collect reads the files of places.
func (f Format) collect(r fs.Reader, places []string, res *Result) (files []File, err error) {
	total, seen := 0, map[string]bool{}
	for _, place := range places {
		found := false
		for name, err := range r.Names(place) {
			found = true
			if err != nil {
				res.problem(name, 0, err.Error(), "")
				continue
			}
			if seen[name] || name != place && f.wants != nil && !f.wants(name) {
				continue
			}
			seen[name] = true
			if len(files) >= maxFiles || total >= maxAll {
				res.problem(place, 0, fmt.Sprintf("only the first %s are read", text.Count(len(files), "file")), "import the folders one by one")
				break
			}
			src, err := res.read(r, name)
			if err != nil {
				res.problem(name, 0, err.Error(), "")
				continue
			}
			total += len(src)
			files = append(files, File{name, src})
		}
		if !found {
			return nil, fmt.Errorf("%s: %w", text.Limit(text.Line(place), 200), iofs.ErrNotExist)
		}
	}
	return files, nil
}

// errNoText is the error of a file that is not text.
var errNoText = errors.New("it is not UTF-8 text")

// read returns the text of a file with its secrets masked.
func (res *Result) read(r fs.Reader, name string) ([]byte, error) {
	src, err := r.Read(name)
	switch {
	case err != nil:
		return nil, err
	case len(src) > maxFile && path.Ext(name) != ".jsonl":
		return nil, fmt.Errorf("it has more than %d bytes", maxFile)
	case text.InvalidUTF8(src) < len(src):
		return nil, errNoText
	}
	masked, kinds := secret.Mask(string(src))
	res.Masked += len(kinds)
	return []byte(masked), nil
}

// problem adds a place that was not understood.
func (res *Result) problem(file string, line int, message, hint string) {
	res.Problems = append(res.Problems, Problem{File: file, Line: line, Message: message, Hint: hint})
}

// add adds an item with a key that is unique in the source.
func (res *Result) add(it Item, key string) {
	it.Text = text.Limit(text.Line(it.Text), maxProse)
	if it.Text == "" {
		return
	}
	it.seal(key)
	res.Items = append(res.Items, it)
}
