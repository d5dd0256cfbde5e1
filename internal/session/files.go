package session

import (
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// HotContext, Window, ArchiveFile, SummaryFile and MetadataFile return the names of the documents
// of a session.
func HotContext(id string) string   { return fs.Sessions + "/" + id + "/hot_context.json" }
func Window(id string) string       { return fs.Sessions + "/" + id + "/recent_history.jsonl" }
func ArchiveFile(id string) string  { return fs.Sessions + "/" + id + "/archive.jsonl" }
func SummaryFile(id string) string  { return fs.Sessions + "/" + id + "/summary.md" }
func MetadataFile(id string) string { return fs.Sessions + "/" + id + "/metadata.json" }

// documentOf returns the session to which the document at name belongs. It reports false if it
// belongs to none.
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
