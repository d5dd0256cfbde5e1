package main

import (
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"path/filepath"
	"syscall"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/embed"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/summarizer"
)

// userConfig returns the path of the user's own configuration, or "" if the home directory is
// unknown. Only this file, and nothing in a tree, may name a program or a server.
func (p *program) userConfig() string {
	dir := p.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) { // the XDG specification ignores relative paths
		home := p.Getenv("HOME")
		if home == "" {
			home = p.Getenv("USERPROFILE")
		}
		if !filepath.IsAbs(home) {
			return ""
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "forgemind", "config.json")
}

// userSource returns the contents of the user's own configuration, or nil if there is none.
func (p *program) userSource() (path string, src []byte, err error) {
	if path = p.userConfig(); path == "" {
		return "", nil, nil
	}
	src, err = readUserFile(path)
	if errors.Is(err, iofs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // the home of services is /dev/null
		return path, nil, nil
	}
	if err != nil {
		return path, nil, tellPath(path, err)
	}
	return path, append([]byte{}, src...), nil
}

// summarizer returns the summarizer of the user's configuration, or nil.
func (p *program) summarizer() (*summarizer.Summarizer, error) {
	path, src, err := p.userSource()
	if src == nil || err != nil {
		return nil, err
	}
	made, err := summarizer.Read(path, src, p.Getenv)
	return made, configError(err)
}

// embedder returns the server of embeddings of the user's configuration, or the zero Embedder.
func (p *program) embedder() (engine.Embedder, error) {
	path, src, err := p.userSource()
	if src == nil || err != nil {
		return engine.Embedder{}, err
	}
	made, err := embed.Read(path, src, p.Getenv)
	if made == nil || err != nil {
		return engine.Embedder{}, err
	}
	return engine.Embedder{Name: made.Name(), Embed: func(ctx context.Context, texts []string) ([][]float32, error) {
		stop := p.busy("asking for embeddings")
		defer stop()
		return made.Embed(ctx, texts)
	}}, nil
}

// configError adds the hint to an error about an invalid configuration.
func configError(err error) error {
	var wrong *summarizer.ConfigError
	if errors.As(err, &wrong) && wrong.Hint != "" {
		return withHint(err, "%s", wrong.Hint)
	}
	return err
}

// readUserFile reads a file of the user and follows symbolic links, because many users keep their
// configuration elsewhere.
func readUserFile(path string) ([]byte, error) {
	real, entry, err := meant(path)
	if err != nil {
		return nil, err
	}
	if entry.IsDir() {
		return nil, errors.New("a directory, not a file")
	}
	dir, err := fs.Open(filepath.Dir(real))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	src, err := dir.Read(filepath.Base(real))
	switch {
	case errors.Is(err, fs.ErrIrregular):
		return nil, fs.ErrIrregular
	case errors.Is(err, fs.ErrTooLarge):
		return nil, fs.ErrTooLarge
	case err != nil:
		return nil, fmt.Errorf("read it: %w", err)
	}
	return src, nil
}
