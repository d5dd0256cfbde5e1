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

// gitHooks are the hooks of git after which views that git ignores are behind.
var gitHooks = []string{"post-checkout", "post-merge", "post-rewrite"}

// gitBlock returns what a hook of git gets for the tree at rel, from the top of the working
// tree on: it renders the views, in silence and whatever comes of it. It reads nothing of
// what git gives the hook.
func gitBlock(rel string) string {
	command := "forgemind hook views"
	if rel != "." {
		command = "forgemind --tree '" + filepath.ToSlash(rel) + "' hook views"
	}
	return "# forgemind: begin. 'forgemind hook uninstall --git' takes this out again.\n" +
		"if command -v forgemind >/dev/null 2>&1; then " + command + " </dev/null >/dev/null 2>&1 || :; fi\n# forgemind: end\n"
}

const shebang = "#!/bin/sh\n"

// Git plans to put our lines into the hooks of git in the repository of root, or to take
// them out. A hook that is there keeps what it does, behind our lines. The error, or the
// plan's, is a *Fault where the hooks are no shell scripts, or are not the repository's.
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
		return nil, &Fault{File: root, Msg: "no hook can name the path of the tree", Hint: "have post-checkout, post-merge and post-rewrite run 'forgemind hook views' in it"}
	}
	block := gitBlock(rel)
	if !own {
		return nil, &Fault{File: dir, Msg: "the hooks of this repository are in a folder of others", Hint: "have post-checkout, post-merge and post-rewrite there run 'forgemind hook views'"}
	}
	above := dir
	for { // the folder of the hooks may not be there
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
		if e.After, err = gitHook(e.Before, block, install); err != nil {
			p.Faults = append(p.Faults, &Fault{File: file, Msg: err.Error(), Hint: "have it run 'forgemind hook views'"})
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

// gitHook returns a hook with our block, or without; nil for no file.
func gitHook(src []byte, block string, install bool) ([]byte, error) {
	without := bytes.Replace(src, []byte(block), nil, 1)
	if !install {
		if len(without) < len(src) && string(without) == shebang {
			return nil, nil // as we made it
		}
		return without, nil
	}
	if src == nil {
		return []byte(shebang + block), nil
	}
	first, rest, _ := bytes.Cut(without, []byte("\n"))
	if !isShell(string(first)) {
		return nil, fmt.Errorf("it is no shell script, by its first line %.60q", first)
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

// DoGit changes the files of a plan of Git.
func (p *Plan) DoGit() {
	for _, e := range p.Edits {
		if err := e.do(); err != nil {
			p.Faults = append(p.Faults, refusedFile(e.File, err))
		}
	}
}
