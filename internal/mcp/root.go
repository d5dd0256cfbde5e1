package mcp

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"time"

	"github.com/forgemind/forgemind/fs"
)

// rootsTime limits the wait for a client's roots. A client that takes longer is not asked
// again.
const rootsTime = 2 * time.Second

// root returns where the tree is: where Root finds it or else, for a client does not start
// every server in the project, in the first of the client's roots that has one.
func (s *server) root() (string, error) {
	root, err := s.Root()
	if !errors.Is(err, fs.ErrNoTree) {
		return root, err
	}
	if found, _, err := fs.FindFirst(s.clientRoots()...); err == nil {
		return found, nil
	}
	return root, err
}

// clientRoots returns the directories that the client works in, none if it does not say.
// Versions of the protocol since 2026-07-28 have no such question.
func (s *server) clientRoots() []string {
	client := s.client.Load()
	if client == nil || s.noRoots.Load() {
		return nil
	}
	offer := client.InitializeParams()
	//lint:ignore SA1019 most clients still speak a version that has roots
	if offer == nil || offer.Capabilities == nil || offer.Capabilities.RootsV2 == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(s.lifetime, rootsTime)
	defer cancel()
	//lint:ignore SA1019 likewise
	listed, err := client.ListRoots(ctx, nil)
	if err != nil {
		s.noRoots.Store(true)
		s.log.Warn("the client does not say where it works", "error", err)
		return nil
	}
	var dirs []string
	for _, root := range listed.Roots {
		if root == nil {
			continue
		}
		if u, err := url.Parse(root.URI); err == nil && u.Scheme == "file" && (u.Host == "" || u.Host == "localhost") {
			dirs = append(dirs, filePath(u.Path))
		}
	}
	return dirs
}

// filePath returns the path of a file URI as the system spells it: /c:/work is c:\work on
// Windows.
func filePath(path string) string {
	if native := filepath.FromSlash(path); len(native) > 2 && filepath.VolumeName(native[1:]) != "" {
		return native[1:]
	}
	return filepath.FromSlash(path)
}
