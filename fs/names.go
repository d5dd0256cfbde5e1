package fs

import (
	"path"
	"strings"
)

// The two folders of a tree.
const (
	Forgemind = ".forgemind"
	Quaid     = ".quaid"
)

// Names of documents that exist at one place only.
const (
	Config         = Forgemind + "/config.json"
	QuaidConfig    = Quaid + "/config.json"
	Knobs          = Forgemind + "/" + KnobsFile
	QuaidKnobs     = Quaid + "/" + KnobsFile
	State          = Forgemind + "/context/current-context.json"
	ProjectFile    = Forgemind + "/context/project.json"
	Progress       = Forgemind + "/progress" // changes of the project
	History        = Forgemind + "/context/context-history"
	Summaries      = Forgemind + "/context/compaction-summaries"
	Messages       = Forgemind + "/context/messages.jsonl"
	Clarifications = Forgemind + "/" + ClarificationsFile
	Cache          = Forgemind + "/cache"
	CacheArtifacts = Forgemind + "/cache/artifacts"
	CacheIndex     = Forgemind + "/cache/cache-index.json"
	ActiveSession  = Quaid + "/context/active_session.txt"
	Sessions       = Quaid + "/context/sessions"
	SessionIndex   = Quaid + "/context/sessions.jsonl"
)

// folders lists both folders in the order in which they are locked and listed.
var folders = [...]string{Forgemind, Quaid}

// Parts of names below either folder.
const (
	LocalDir     = ".local"
	DecisionsDir = "decisions"
	MemoryDir    = "memory"
	// ClarificationsDir holds one file for each answer. ClarificationsFile is used by
	// former trees and other tools.
	ClarificationsDir = "clarifications"
	ColdDir           = "cold-storage"

	// Folders of records; see package records.
	QuestionsDir   = "questions"
	ActionsDir     = "actions"
	GoalsDir       = "goals"
	ConstraintsDir = "constraints"
	NotesDir       = "notes"
	ThreadsDir     = "threads"  // <channel>/<thread>/: the thread and its messages
	ChannelsDir    = "channels" // <channel>/pins/ and <channel>/messages/
	HandoffsDir    = "handoffs"

	ConfigFile         = "config.json"
	KnobsFile          = "context-config.yaml"
	ClarificationsFile = "context/clarifications.jsonl"

	LogsDir       = "logs/context"
	CompactionLog = LogsDir + "/compaction.jsonl"
	CurationLog   = LogsDir + "/curation.jsonl"
	DropLog       = LogsDir + "/drops.jsonl"
	RecoveryLog   = LogsDir + "/recovery.jsonl"
	HealthLog     = LogsDir + "/context-health.jsonl"
)

// Names of the write protocol in `.local/`.
const (
	gitIgnoreFile = ".gitignore"
	watchLockFile = "watch.lock"      // held by the one watcher of the tree
	lockFile      = "lock"            // never unlinked, always empty
	holderFile    = "holder"          // the process that has the lock, and whether it released it
	incidentFile  = "incidents.jsonl" // see Incident
	stageDir      = "stage"           // files that are being written
	txnDir        = "txn"             // transactions of several names
	displacedDir  = "displaced"       // files that were replaced
	atticDir      = "attic"           // bytes that are in no document
	recoveredDir  = "recovered"       // the attic of former versions, read only
	trashDir      = "trash"           // files that were removed
	lastDir       = "last"            // the bytes written last, until they were seen on disk
	indexDir      = "index"           // data derived from documents
)

// Names of other packages in `.local/`; see LocalName.
const (
	ActedFile    = "acted.json"    // the changes that triggers last acted on
	CountersFile = "counters.json" // counters since the last checkpoint
	WatchFile    = "watch.json"    // the state of the watcher
	UsageFile    = "usage.json"    // the size of an agent's requests, as reported by the agent
	CopiesFile   = "copies.json"   // why the last copy of ignored files failed
)

// LocalName returns the name of elem below folder's `.local/`.
func LocalName(folder string, elem ...string) string {
	return path.Join(append([]string{folder, LocalDir}, elem...)...)
}

// GitIgnore returns the text of folder's `.gitignore`. It excludes the files that
// belong to one working copy.
func GitIgnore(folder string) []byte {
	lines := []string{"# Written by forgemind: what each working copy keeps for itself.", "/" + LocalDir + "/"}
	switch folder {
	case Forgemind:
		lines = append(lines, "/context/messages.jsonl", "/cache/")
	case Quaid:
		lines = append(lines, "/context/active_session.txt", "/context/sessions.jsonl")
	}
	lines = append(lines, "/cold-storage/", "/logs/")
	return []byte(strings.Join(lines, "\n") + "\n")
}

// GitIgnoreViews returns the text of folder's `.gitignore` for trees in which git
// tracks records and no views: each working copy renders its own views.
func GitIgnoreViews(folder string) []byte {
	lines := string(GitIgnore(folder)) + "# Views, which forgemind renders from the records that git tracks.\n"
	switch folder {
	case Forgemind:
		lines += "/context/current-context.json\n"
	case Quaid:
		lines += "/context/sessions/\n"
	}
	lines += "/threads/*/*.json\n/channels/*/pins.json\n/memory/*.md\n/projects/*/CONTEXT.md\n"
	return []byte(lines)
}

// OfWorkingCopy reports whether git ignores name by GitIgnoreViews.
func OfWorkingCopy(name string) bool {
	folder, below, _ := strings.Cut(name, "/")
	if folder != Forgemind && folder != Quaid {
		return false
	}
	for line := range strings.SplitSeq(string(GitIgnoreViews(folder)), "\n") {
		pattern, ok := strings.CutPrefix(line, "/")
		if matched, _ := path.Match(pattern, below); ok && (matched || strings.HasSuffix(pattern, "/") && strings.HasPrefix(below, pattern)) {
			return true
		}
	}
	return false
}

// A Doc is the kind of a document. For JSON and JSONL documents its string is the name
// of the schema.
type Doc string

// The documents.
const (
	NoDoc            Doc = ""
	DocConfig        Doc = "config"
	DocKnobs         Doc = "context-config" // YAML
	DocState         Doc = "current-context"
	DocSnapshot      Doc = "snapshot" // uses the schema current-context
	DocDecision      Doc = "decision"
	DocQuestion      Doc = "question"
	DocAction        Doc = "action"
	DocGoal          Doc = "goal"
	DocConstraint    Doc = "constraint"
	DocNote          Doc = "note"
	DocChange        Doc = "change"         // a later file of a record
	DocProjectRecord Doc = "project-record" // facts about the project as a whole
	DocMessage       Doc = "message"
	DocClarification Doc = "clarification"
	DocCacheIndex    Doc = "cache-index"
	DocPins          Doc = "pins"
	DocPin           Doc = "pin"
	DocThread        Doc = "thread"
	DocThreadRecord  Doc = "thread-record" // uses the schema thread
	DocHandoff       Doc = "handoff"
	DocProject       Doc = "project"
	DocChunk         Doc = "chunk"
	DocLogCompaction Doc = "log-compaction"
	DocLogCuration   Doc = "log-curation"
	DocLogDrops      Doc = "log-drops"
	DocLogRecovery   Doc = "log-recovery"
	DocLogHealth     Doc = "log-context-health"
	DocHotContext    Doc = "hot-context"
	DocSessionMeta   Doc = "session-metadata"
	DocSessionIndex  Doc = "session-index"
	DocActiveSession Doc = "active-session" // text: one session id
)

// Schema returns the name of the schema of d, "" if it has none.
func (d Doc) Schema() string {
	switch d {
	case DocSnapshot:
		return string(DocState)
	case DocThreadRecord:
		return string(DocThread)
	case DocActiveSession, DocKnobs:
		return ""
	}
	return string(d)
}

// isRecord reports whether d is a kind of record that has changes beside it.
func (d Doc) isRecord() bool {
	switch d {
	case DocQuestion, DocAction, DocGoal, DocConstraint, DocNote, DocPin, DocThreadRecord, DocHandoff, DocClarification:
		return true
	}
	return false
}

// places lists the places of all documents below either folder. In a part of the path,
// one star matches any characters except a slash.
var places = []struct {
	pattern string
	doc     Doc
}{
	{"config.json", DocConfig},
	{KnobsFile, DocKnobs},
	{"context/current-context.json", DocState},
	{"context/context-history/*.json", DocSnapshot},
	{"context/messages.jsonl", DocMessage},
	{"context/clarifications.jsonl", DocClarification},
	{ClarificationsDir + "/*.json", DocClarification},
	{"decisions/*.json", DocDecision},
	{"context/project.json", DocProjectRecord},
	{"progress/*.json", DocChange},
	{QuestionsDir + "/*.json", DocQuestion},
	{ActionsDir + "/*.json", DocAction},
	{GoalsDir + "/*.json", DocGoal},
	{ConstraintsDir + "/*.json", DocConstraint},
	{NotesDir + "/*.json", DocNote},
	{"cache/cache-index.json", DocCacheIndex},
	{"channels/*/messages.jsonl", DocMessage},
	{"channels/*/messages/*.json", DocMessage},
	{"channels/*/pins.json", DocPins},
	{"channels/*/pins/*.json", DocPin},
	{"threads/*/*.jsonl", DocMessage},
	{"threads/*/*.json", DocThread},
	{"threads/*/*/msg-*.json", DocMessage},
	{"threads/*/*/*.json", DocThreadRecord},
	{HandoffsDir + "/*.json", DocHandoff},
	{"projects/*/project.json", DocProject},
	{"cold-storage/*/*.jsonl", DocChunk},
	{"logs/context/compaction.jsonl", DocLogCompaction},
	{"logs/context/curation.jsonl", DocLogCuration},
	{"logs/context/drops.jsonl", DocLogDrops},
	{"logs/context/recovery.jsonl", DocLogRecovery},
	{"logs/context/context-health.jsonl", DocLogHealth},
	{"logs/context/*-compaction.jsonl", DocLogCompaction}, // rotated; see RotatedLog
	{"logs/context/*-curation.jsonl", DocLogCuration},
	{"logs/context/*-drops.jsonl", DocLogDrops},
	{"logs/context/*-recovery.jsonl", DocLogRecovery},
	{"logs/context/*-context-health.jsonl", DocLogHealth},
	{"context/sessions/*/hot_context.json", DocHotContext},
	{"context/sessions/*/recent_history.jsonl", DocMessage},
	{"context/sessions/*/archive.jsonl", DocMessage},
	{"context/sessions/*/metadata.json", DocSessionMeta},
	{"context/sessions.jsonl", DocSessionIndex},
	{"context/active_session.txt", DocActiveSession},
}

// Place returns the kind of document at name, or NoDoc if forgemind knows no document
// of that place.
func Place(name string) Doc {
	folder, rest, ok := strings.Cut(name, "/")
	if !ok || (folder != Forgemind && folder != Quaid) {
		return NoDoc
	}
	for _, p := range places {
		if matches(p.pattern, rest) {
			if stem, isJSON := strings.CutSuffix(path.Base(name), ".json"); isJSON && p.doc.isRecord() && strings.Contains(stem, ".") {
				return DocChange
			}
			return p.doc
		}
	}
	return NoDoc
}

// IsContext reports whether name is the CONTEXT.md of a project.
func IsContext(name string) bool {
	folder, rest, _ := strings.Cut(name, "/")
	return isFolder(folder) && matches("projects/*/CONTEXT.md", rest)
}

// matches is path.Match for the patterns of places. It is faster, because it is called
// for every name of a tree.
func matches(pattern, name string) bool {
	for {
		want, pattern2, more := strings.Cut(pattern, "/")
		part, name2, deeper := strings.Cut(name, "/")
		start, end, any := strings.Cut(want, "*")
		if more != deeper || !any && part != want {
			return false
		}
		if any && (len(part) < len(start)+len(end) || !strings.HasPrefix(part, start) || !strings.HasSuffix(part, end)) {
			return false
		}
		if !more {
			return true
		}
		pattern, name = pattern2, name2
	}
}

// IsLocal reports whether name is in a `.local/` folder. Its files are never committed,
// validated or watched.
func IsLocal(name string) bool {
	folder, rest, _ := strings.Cut(name, "/")
	return (folder == Forgemind || folder == Quaid) &&
		(rest == LocalDir || strings.HasPrefix(rest, LocalDir+"/"))
}

// IsHome reports whether name is in one of the two folders.
func IsHome(name string) bool { return folderOf(name) != "" }
