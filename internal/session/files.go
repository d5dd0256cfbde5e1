package session

import (
	"errors"
	iofs "io/fs"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// HotContext, Window, ArchiveFile, SummaryFile and MetadataFile name the
// documents of a session.
func HotContext(id string) string   { return fs.Sessions + "/" + id + "/hot_context.json" }
func Window(id string) string       { return fs.Sessions + "/" + id + "/recent_history.jsonl" }
func ArchiveFile(id string) string  { return fs.Sessions + "/" + id + "/archive.jsonl" }
func SummaryFile(id string) string  { return fs.Sessions + "/" + id + "/summary.md" }
func MetadataFile(id string) string { return fs.Sessions + "/" + id + "/metadata.json" }

// documentOf is the session that the document at name belongs to; false where
// name is none of a session's.
func documentOf(name string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(name, fs.Sessions+"/")
	if id, _, _ = strings.Cut(rest, "/"); !ok {
		return "", false
	}
	switch name {
	case HotContext(id), Window(id), ArchiveFile(id), SummaryFile(id), MetadataFile(id):
		return id, true
	}
	return "", false
}

// stored returns what stands at name; nothing if there is no such file.
func stored(r fs.Reader, name string) ([]byte, error) {
	src, err := r.Read(name)
	if errors.Is(err, iofs.ErrNotExist) {
		return nil, nil
	}
	return src, err
}
