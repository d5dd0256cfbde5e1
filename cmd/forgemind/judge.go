package main

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/validate"
)

// judgeTree validates a tree or a part of it. The rules always see the whole tree.
func (j *judgement) judgeTree(t treeTarget) error {
	tree, err := fs.Open(t.root)
	if err != nil {
		return err
	}
	defer tree.Close()
	if !t.named && validate.Foreign(tree) {
		return withHint(fmt.Errorf("%s: another product's tree, by its schema; forgemind does not read it", inline(j.shown(t.root))),
			"named as a PATH it is judged all the same")
	}
	wanted := func(name string) bool { return within(name, t.below) }
	if j.c.Bool("changed") {
		changed, err := git.Changed(j.c.Context, t.root, tree)
		if err != nil {
			return err
		}
		wanted = func(name string) bool { return within(name, t.below) && slices.Contains(changed, name) }
	}
	bar := j.progress()
	report, err := engine.Validate(tree, validate.Options{Foreign: t.named, Progress: bar.at})
	bar.end()
	if err != nil {
		return err
	}
	j.add(t.root, report, wanted)
	return nil
}

// within reports whether name is one of parts or below one. The part "" contains everything.
func within(name string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool {
		return part == "" || name == part || strings.HasPrefix(name, part+"/")
	})
}

// judgeFiles validates single files, grouped by directory or tree. Files of a tree are read through
// it, so that its limits and severities hold.
func (j *judgement) judgeFiles(files []string) {
	groups := map[string][]string{} // project directory, or directory → names in it
	inTree := map[string]bool{}
	for dir, files := range byDirectory(files) {
		root, below, ok := treeOf(dir)
		if !ok {
			root, below = dir, ""
		}
		for _, file := range files {
			groups[root] = append(groups[root], path.Join(below, file))
		}
		inTree[root] = inTree[root] || ok
	}
	bar := j.progress()
	defer bar.end()
	for _, root := range slices.Sorted(maps.Keys(groups)) {
		if err := j.judgeGroup(root, groups[root], inTree[root], bar); err != nil {
			j.failures = append(j.failures, err)
		}
	}
}

// byDirectory groups files by directory.
func byDirectory(files []string) map[string][]string {
	dirs := map[string][]string{}
	for _, file := range files {
		dir, name := filepath.Split(file)
		dir = filepath.Clean(dir)
		dirs[dir] = append(dirs[dir], name)
	}
	return dirs
}

func (j *judgement) judgeGroup(root string, names []string, inTree bool, bar *progress) error {
	tree, err := fs.Open(root)
	if err != nil {
		return err
	}
	defer tree.Close()
	options := validate.Options{Progress: bar.at}
	if inTree {
		options.Policy = validate.PolicyOf(tree)
	}
	report := validate.Files(tree, names, options)
	unread := map[string]bool{}
	for _, f := range report.Findings {
		if f.Rule == "irregular-file" { // report it if the user named the file
			unread[f.File] = true
			j.failures = append(j.failures, fmt.Errorf("%s: %s", inline(j.shown(filepath.Join(root, f.File))), f.Message))
		}
	}
	for _, name := range names {
		if !validate.Judges(name) && !unread[name] {
			j.skip(j.shown(filepath.Join(root, name)))
		}
	}
	j.add(root, report, func(name string) bool { return !unread[name] })
	return nil
}

// skip records that a named file was not validated.
func (j *judgement) skip(path string) {
	j.skipped = true
	j.note("%s: not checked: not a .json, .jsonl, .md, .yaml or .txt file", inline(path))
}

// add adds the findings of the directory root, with paths for people.
func (j *judgement) add(root string, r validate.Report, wanted func(name string) bool) {
	prefix := filepath.ToSlash(j.shown(root))
	for _, name := range r.Checked {
		if wanted(name) {
			j.report.Checked = append(j.report.Checked, path.Join(prefix, name))
		}
	}
	for _, f := range r.Findings {
		if wanted(f.File) {
			f.File = path.Join(prefix, f.File)
			j.report.Findings = append(j.report.Findings, f)
		}
	}
	for _, f := range r.Suppressed {
		if wanted(f.File) {
			f.File = path.Join(prefix, f.File)
			j.report.Suppressed = append(j.report.Suppressed, f)
		}
	}
}
