package sync

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// DefaultBranch is the branch that holds the files of a tree where no other one is named.
const DefaultBranch = "forgemind-context"

// ErrNoRemote is the error of Open if no remote was set for the tree.
var ErrNoRemote = errors.New("no remote is set for this tree")

// Settings holds the remote that a user set for a tree, and the last contact with it. It is in the user's
// state folder and not in the tree: a clone or an archive cannot bring an address to connect to.
type Settings struct {
	URL         string     `json:"url"`
	Branch      string     `json:"branch"`
	LastContact string     `json:"last_contact,omitzero"` // UTC
	Copy        string     `json:"copy,omitzero"`         // the name of this working copy among the others
	Quarantine  []Rejected `json:"quarantine,omitzero"`
}

// A Rejected is a file that stays where it is.
type Rejected struct {
	File string `json:"file"`
	Blob string `json:"blob"` // id of the contents
	Why  string `json:"why"`
}

// A Remote is the branch of a remote that a tree is synced with. Only one process has it open.
type Remote struct {
	Settings
	dir   *fs.CopyDir
	store *git.Store
	text  []byte // of the settings file, nil if there is none
}

const settingsFile = "sync.json"

// Open opens the remote of the tree at root. The argument home is the folder with the user's state.
// The error is ErrNoRemote if none was set, or fs.ErrBusy if another process syncs until ctx ends.
func Open(ctx context.Context, home, root string) (*Remote, error) {
	r, err := open(ctx, home, root)
	if err == nil && r.URL == "" {
		r.Close()
		return nil, ErrNoRemote
	}
	return r, err
}

// Set sets the URL and the branch of the remote of the tree at root, and opens it.
func Set(ctx context.Context, home, root string, s Settings) (*Remote, error) {
	r, err := open(ctx, home, root)
	if err != nil {
		return nil, err
	}
	if r.URL != s.URL || r.Branch != s.Branch {
		r.Settings = Settings{URL: s.URL, Branch: s.Branch, Copy: r.Copy}
		err = r.save()
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func open(ctx context.Context, home, root string) (*Remote, error) {
	if home == "" {
		return nil, errors.New("the folder for the user's state is not known: neither HOME nor XDG_STATE_HOME is set")
	}
	dir, err := fs.LockCopyDir(ctx, dirOf(home, root))
	if err != nil {
		return nil, err
	}
	r := &Remote{dir: dir}
	if err := r.load(ctx, root); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// dirOf returns the directory with the settings and the store of the tree at root.
func dirOf(home, root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(home, "sync", hex.EncodeToString(sum[:8]))
}

func (r *Remote) load(ctx context.Context, root string) (err error) {
	r.text, err = r.dir.Read(settingsFile)
	switch {
	case errors.Is(err, iofs.ErrNotExist):
		r.text = nil
	case err != nil:
		return err
	default:
		if err := jsonedit.Decode(r.text, &r.Settings); err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(r.dir.Dir(), settingsFile), err)
		}
	}
	r.store, err = git.OpenStore(ctx, filepath.Join(r.dir.Dir(), "store.git"), root)
	return err
}

// save writes the settings if they changed.
func (r *Remote) save() error {
	text, err := jsonedit.Marshal(r.Settings)
	if err != nil || string(text) == string(r.text) {
		return err
	}
	if _, err := r.dir.Replace(settingsFile, r.text, text, 0o600); err != nil {
		return err
	}
	r.text = text
	return nil
}

// CopyID returns the name of this working copy among those of the remote. It makes one of random
// bytes if there is none yet.
func (r *Remote) CopyID(random io.Reader) (string, error) {
	if r.Copy != "" {
		return r.Copy, nil
	}
	id, err := schema.NewID("copy-", random, func(string) bool { return false })
	if err != nil {
		return "", err
	}
	r.Copy = id
	return id, r.save()
}

// Close lets other processes open the remote.
func (r *Remote) Close() { r.dir.Close() }

// files returns the files of a commit of the store. A commit of "" has none.
func (r *Remote) files(ctx context.Context, commit string) (*git.Revision, Blobs, error) {
	if commit == "" {
		return nil, Blobs{}, nil
	}
	revision, err := r.store.At(ctx, commit)
	if err != nil {
		return nil, nil, err
	}
	return revision, revision.Blobs(), nil
}

// closeAll closes revisions, which may be nil.
func closeAll(revisions ...*git.Revision) {
	for _, r := range revisions {
		if r != nil {
			r.Close()
		}
	}
}

// homesOf returns the folders of a tree that files are in.
func homesOf(files Blobs) (homes []string) {
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		for name := range files {
			if strings.HasPrefix(name, home+"/") && IsShared(name) {
				homes = append(homes, home)
				break
			}
		}
	}
	return homes
}

// reject adds files to the quarantine and returns those that were not in it.
func (r *Remote) reject(found []Rejected) (news []Rejected) {
	for _, f := range found {
		same := func(q Rejected) bool { return q.File == f.File && q.Blob == f.Blob }
		if !slices.ContainsFunc(r.Quarantine, same) {
			r.Quarantine = append(r.Quarantine, f)
			news = append(news, f)
		}
	}
	return news
}

// CheckURL returns an error if url is empty or could be taken for an option or a helper of git that
// runs a program.
func CheckURL(url string) error {
	switch {
	case url == "":
		return errors.New("the URL of the remote is empty")
	case strings.HasPrefix(url, "-"), strings.Contains(url, "::"), strings.ContainsFunc(url, func(c rune) bool { return c < 0x20 || c == 0x7f }):
		return fmt.Errorf("%q is no URL of a remote", url)
	}
	return nil
}
