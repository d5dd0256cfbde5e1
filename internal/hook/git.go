package hook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
)

// gitHooks lists the hooks of git after which ignored views may be out of date, and those before a
// commit.
var gitHooks = []string{"post-checkout", "post-merge", "post-rewrite", "pre-commit", "pre-merge-commit"}

// gitBlock returns the lines for a hook of git for the tree at rel, which is relative to the top of
// the working tree. They do not use the arguments or the input of the hook. After a change of the
// working tree they render the views silently and never fail. Before a commit they validate the
// documents of the working tree that differ from the last commit, and fail on findings of severity
// error, and on nothing else.
func gitBlock(hook, rel string) string {
	program := "forgemind"
	if rel != "." {
		program += " --tree '" + filepath.ToSlash(rel) + "'"
	}
	lines := "if command -v forgemind >/dev/null 2>&1; then " + program + " hook views </dev/null >/dev/null 2>&1 || :; fi\n"
	if strings.HasPrefix(hook, "pre-") {
		lines = "if command -v forgemind >/dev/null 2>&1; then\n" +
			"  if git rev-parse --quiet --verify HEAD >/dev/null 2>&1; then " + program + " validate --changed --against HEAD; else " + program + " validate; fi </dev/null >&2 || [ $? -ne 1 ] || exit 1\n" +
			"fi\n"
	}
	return "# forgemind: begin. 'forgemind hook uninstall --git' takes this out again.\n" + lines + "# forgemind: end\n"
}

// gitAdvice is the hint for hooks of git that cannot be edited.
const gitAdvice = "have post-checkout, post-merge and post-rewrite run 'forgemind hook views' in the tree, and pre-commit and pre-merge-commit 'forgemind validate --changed'"

const shebang = "#!/bin/sh\n"

// Git plans to add our lines to the hooks of git in the repository of root, or to remove them. Our
// lines come before those of an existing hook. The error, or the fault in the plan, is a *FileError
// if the hooks are not shell scripts or do not belong to the repository.
func Git(ctx context.Context, root string, install bool) (_ *Plan, err error) {
	dir, top, own, err := git.HooksDir(ctx, root)
	if err != nil {
		return nil, err
	}
	p := &Plan{Agents: []string{"git"}, outs: map[string]*fs.Outside{}}
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	tree, err := p.open(root)
	if err != nil {
		return nil, refusedFile(root, err)
	}
	rel, err := filepath.Rel(top, tree.Dir())
	if err != nil || !filepath.IsLocal(rel) || strings.ContainsAny(rel, "'\n") {
		return nil, &FileError{File: root, Msg: "no hook can name the path of the tree", Hint: gitAdvice}
	}
	if !own {
		return nil, &FileError{File: dir, Msg: "the hooks of this repository are in a folder of others", Hint: gitAdvice}
	}
	above := dir
	for { // the folder of the hooks may be missing
		_, err := p.open(above)
		if err == nil {
			break
		}
		if !errors.Is(err, iofs.ErrNotExist) || above == filepath.Dir(above) {
			return nil, refusedFile(dir, err)
		}
		above = filepath.Dir(above)
	}
	for _, hook := range gitHooks {
		file := filepath.Join(dir, hook)
		name, err := filepath.Rel(above, file)
		if err != nil {
			return nil, err
		}
		e := &Edit{File: file, out: p.outs[above], name: filepath.ToSlash(name), perm: 0o755}
		if e.Before, err = e.out.Read(e.name); err != nil && !errors.Is(err, iofs.ErrNotExist) {
			p.Faults = append(p.Faults, refusedFile(file, err))
			continue
		}
		if e.After, err = gitHook(e.Before, gitBlock(hook, rel), install); err != nil {
			p.Faults = append(p.Faults, &FileError{File: file, Msg: err.Error(), Hint: gitAdvice})
			continue
		}
		if !e.unchanged() {
			p.Edits = append(p.Edits, e)
		}
	}
	if len(p.Faults) > 0 {
		p.Edits = nil
	}
	return p, nil
}

// gitHook returns a hook with or without our block. Nil stands for no file.
func gitHook(src []byte, block string, install bool) ([]byte, error) {
	without := bytes.Replace(src, []byte(block), nil, 1)
	if !install {
		if len(without) < len(src) && string(without) == shebang {
			return nil, nil // the file has nothing but our lines
		}
		return without, nil
	}
	if src == nil {
		return []byte(shebang + block), nil
	}
	first, rest, _ := bytes.Cut(without, []byte("\n"))
	if !isShell(string(first)) {
		return nil, fmt.Errorf("it is not a shell script: its first line is %.60q", first)
	}
	return slices.Concat(first, []byte("\n"+block), rest), nil
}

// isShell reports whether the first line of a script names a shell.
func isShell(line string) bool {
	words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "#!"))
	if !strings.HasPrefix(line, "#!") || len(words) == 0 {
		return false
	}
	program := filepath.Base(words[0])
	if program == "env" && len(words) > 1 {
		program = words[1]
	}
	switch program {
	case "sh", "bash", "dash", "ash", "ksh", "zsh":
		return true
	}
	return false
}

// DoGit writes the files of a plan from Git.
func (p *Plan) DoGit() {
	for _, e := range p.Edits {
		if err := e.do(); err != nil {
			p.Faults = append(p.Faults, refusedFile(e.File, err))
		}
	}
}
