package main

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/validate"
)

// judgeTree judges a tree, or a part of it: the rules always see all of it.
func (j *judgement) judgeTree(t treeTarget) error {
	tree, err := fs.Open(t.root)
	if err != nil {
		return err
	}
	defer tree.Close()
	if !t.named && validate.Foreign(tree) {
		return withHint(fmt.Errorf("%s: another product's tree, by its schema; it is left alone", inline(j.shown(t.root))),
			"named as a PATH it is judged all the same")
	}
	docs, done, err := j.documents(tree)
	if err != nil {
		return err
	}
	defer done()
	wanted := func(name string) bool { return within(name, t.below) }
	if j.c.Bool("changed") {
		changed, err := j.changed(tree, docs)
		if err != nil {
			return err
		}
		wanted = func(name string) bool { return within(name, t.below) && slices.Contains(changed, name) }
	}
	bar := j.progress()
	report, err := validate.Tree(docs, validate.Options{Foreign: t.named, Progress: bar.at})
	bar.end()
	if err != nil {
		return err
	}
	j.add(t.root, report, wanted)
	return nil
}

// within says whether name is one of parts or below one; "" is everything.
func within(name string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool {
		return part == "" || name == part || strings.HasPrefix(name, part+"/")
	})
}

// judgeFiles judges files by themselves, those of one directory or tree
// together. Files of a tree are read through it, so that it keeps its limits
// and its own severities.
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

// byDirectory sorts files into their directories.
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
	docs, done, err := j.documents(tree)
	if err != nil {
		return err
	}
	defer done()
	options := validate.Options{Progress: bar.at}
	if inTree {
		options.Severity = validate.Configured(docs)
	}
	report := validate.Files(docs, names, options)
	unread := map[string]bool{}
	for _, f := range report.Findings {
		if f.Rule == "irregular-file" { // who names a file wants to know what is in it
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

// skip says that a file which the command line names was not judged.
func (j *judgement) skip(path string) {
	j.skipped = true
	j.note("%s: not judged: not a .json, .jsonl, .md, .yaml or .txt file", inline(path))
}

// add takes over what was judged in the directory root: documents there are
// shown as paths for people.
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
}
