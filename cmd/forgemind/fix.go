package main

import (
	"bytes"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// fix mends what is named, tree by tree, each in one transaction.
func (j *judgement) fix(found targets) error {
	trees := map[string][]string{} // root → names to mend, "" for all
	for _, t := range found.trees {
		trees[t.root] = append(trees[t.root], t.below)
	}
	for _, file := range found.files {
		root, name, ok := treeOf(file)
		if !ok {
			if err := j.fixFile(file); err != nil {
				return err
			}
			continue
		}
		trees[root] = append(trees[root], name)
	}
	for _, root := range slices.Sorted(maps.Keys(trees)) {
		if err := j.fixTree(root, trees[root]); err != nil {
			return err
		}
	}
	return nil
}

// fixTree mends the documents of one tree that stand in or below parts.
func (j *judgement) fixTree(root string, parts []string) error {
	j.tree = root
	tree, err := j.open(root, j.c.Bool("dry-run"))
	if err != nil {
		return err
	}
	defer tree.Close()
	var mended []validate.Finding
	out, err := tree.Do(j.c.Context, engine.Event{}, func(tx *fs.Tx) error {
		mended, err = renderDiscussions(tx, parts) // anew where the transaction runs again
		if err != nil {
			return err
		}
		for name, err := range tx.Names(".") {
			if err != nil || !within(name, parts...) {
				continue // what cannot be read is for the judging to report
			}
			src, err := tx.Read(name)
			if err != nil {
				continue
			}
			fixed, what := validate.Fix(name, src)
			if !bytes.Equal(fixed, src) {
				tx.Write(name, fixed)
				mended = append(mended, what...)
			}
		}
		across, err := j.fixAcross(tx, root, parts)
		mended = append(mended, across...)
		return err
	})
	if err != nil {
		return err
	}
	j.notes(out)
	contexts, err := j.fixContexts(tree, parts)
	j.tellMended(root, append(mended, contexts...))
	return err
}

// renderDiscussions renders the views of threads and pins that are behind their records,
// and tells of those that a merge left with both sides in them.
func renderDiscussions(tx *fs.Tx, parts []string) (mended []validate.Finding, err error) {
	unmerged, names := map[string]bool{}, []string{}
	for name, err := range tx.Names(".") {
		if err != nil || !within(name, parts...) {
			continue
		}
		names = append(names, name)
		if kind := fs.Place(name); kind == fs.DocThread || kind == fs.DocPins {
			src, err := tx.Read(name)
			unmerged[name] = err == nil && condense.Unmerged(src)
		}
	}
	if err := condense.Render(tx, names); err != nil {
		return nil, err
	}
	for _, name := range names {
		if src, err := tx.Read(name); unmerged[name] && err == nil && !condense.Unmerged(src) {
			mended = append(mended, validate.Finding{File: name, Rule: "conflict-marker", Message: "rendered again from the records of both sides of the conflict"})
		}
	}
	return mended, nil
}

// fixContexts ends merges in the CONTEXT.md of projects, where both sides differ in
// nothing but what is generated: that is written anew.
func (j *judgement) fixContexts(tree *engine.Tree, parts []string) (mended []validate.Finding, err error) {
	projects, _, err := condense.Projects(tree)
	if err != nil {
		return nil, nil // the judging reports what can't be listed
	}
	for _, project := range projects {
		src, err := tree.Read(project.Context)
		if err != nil || !condense.Unmerged(src) || !within(project.Context, parts...) {
			continue
		}
		now, _, err := tree.RefreshProject(j.c.Context, project.Slug())
		if err != nil {
			return mended, err
		}
		if now.Conflicts == 0 && !now.Swallowed {
			mended = append(mended, validate.Finding{File: project.Context, Rule: "conflict-marker", Message: "wrote anew what is generated, on both sides of the conflict"})
		}
	}
	return mended, nil
}

// fixAcross mends what documents in or below parts show beside one another. The
// index comes last, for it repeats what the metadata says.
func (j *judgement) fixAcross(tx *fs.Tx, root string, parts []string) (mended []validate.Finding, err error) {
	for _, m := range append(validate.FixTree(tx), validate.FixLost(tx, root)...) {
		if !within(m.Name, parts...) {
			continue
		}
		switch {
		case m.Text != nil:
			tx.Write(m.Name, m.Text)
			if err := condense.AdoptNames(tx, m.Name, "", j.Now().UTC()); err != nil {
				return mended, err
			}
		case m.Name == fs.SessionIndex:
			before, _ := tx.Read(m.Name) // what can't be read is another
			index, err := session.Index(tx)
			if err != nil {
				return mended, err
			}
			if bytes.Equal(before, index) {
				continue
			}
			if tx.Write(m.Name, index); len(index) == 0 {
				tx.Remove(m.Name)
			}
		default:
			tx.Remove(m.Name)
		}
		mended = append(mended, m.Done...)
	}
	edited := func(name string) bool { return within(name, parts...) }
	var unknown error
	author := func() (name string) {
		name, unknown = j.author(root)
		return name
	}
	records := validate.FixRecords(tx, root, edited, schema.FormatTime(j.Now()), author)
	if unknown != nil {
		return mended, unknown
	}
	for _, m := range records {
		if _, err := tx.Read(m.Name); err == nil {
			tx.Restore(m.Name, m.Text) // as git has it: no other write may change a record
		} else {
			tx.Write(m.Name, m.Text)
		}
		mended = append(mended, m.Done...)
	}
	return mended, nil
}

// fixFile mends a file outside any tree.
func (j *judgement) fixFile(file string) error {
	dir, err := fs.Open(filepath.Dir(file))
	if err != nil {
		return err
	}
	defer dir.Close()
	dir.DryRun = j.c.Bool("dry-run")
	name := filepath.Base(file)
	var mended []validate.Finding
	err = dir.Rewrite(name, func(src []byte) (fixed []byte, err error) {
		fixed, mended = validate.Fix(name, src)
		return fixed, nil
	})
	if err != nil {
		return err
	}
	j.tellMended(dir.Root(), mended)
	return nil
}

// tellMended says what was mended in the directory root.
func (j *judgement) tellMended(root string, mended []validate.Finding) {
	verb := "mended"
	if j.c.Bool("dry-run") {
		verb = "would mend"
	}
	for _, f := range mended {
		j.note("%s: %s: %s [%s]", verb, inline(path.Join(filepath.ToSlash(j.shown(root)), f.File)), inline(f.Message), f.Rule)
	}
}
