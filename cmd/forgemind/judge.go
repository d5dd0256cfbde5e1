package main

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/validate"
)

// judgeTree judges a tree, or a part of it: the rules always see all of it.
func (j *judgement) judgeTree(t treeTarget) error {
	tree, err := fs.Open(t.root)
	if err != nil {
		return err
	}
	defer tree.Close()
	wanted := func(name string) bool { return within(name, t.below) }
	if j.c.Bool("changed") {
		changed, err := git.Changed(j.c.Context, t.root, tree)
		if err != nil {
			return err
		}
		wanted = func(name string) bool { return within(name, t.below) && slices.Contains(changed, name) }
	}
	bar := j.progress()
	report, err := validate.Tree(tree, validate.Options{Foreign: t.named, Progress: bar.at})
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
	groups := map[string][]string{} // directory → names in it
	inTree := map[string]bool{}
	for _, file := range files {
		root, name, ok := treeOf(file)
		if !ok {
			real, err := filepath.EvalSymlinks(file) // who names a link means what it leads to
			if err != nil {
				j.failures = append(j.failures, tellPath(j.shown(file), err))
				continue
			}
			root, name = filepath.Dir(real), filepath.Base(real)
		}
		groups[root] = append(groups[root], name)
		inTree[root] = ok
	}
	bar := j.progress()
	defer bar.end()
	for _, root := range slices.Sorted(maps.Keys(groups)) {
		if err := j.judgeGroup(root, groups[root], inTree[root], bar); err != nil {
			j.failures = append(j.failures, err)
		}
	}
}

func (j *judgement) judgeGroup(root string, names []string, inTree bool, bar *progress) error {
	tree, err := fs.Open(root)
	if err != nil {
		return err
	}
	defer tree.Close()
	options := validate.Options{Progress: bar.at}
	if inTree {
		options.Severity = validate.Configured(tree)
	}
	j.add(root, validate.Files(tree, names, options), func(string) bool { return true })
	return nil
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
