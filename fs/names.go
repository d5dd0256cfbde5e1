package fs

import (
	"path"
	"strings"
)

// The two folders that make a project directory a Tree.
const (
	Forgemind = ".forgemind"
	Quaid     = ".quaid"
)

// Names of documents that stand at one place only.
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

// folders are both, in the order in which they are locked and listed.
var folders = [...]string{Forgemind, Quaid}

// Parts of names that stand under either folder.
const (
	LocalDir     = ".local"
	DecisionsDir = "decisions"
	MemoryDir    = "memory"
	// ClarificationsDir holds one file for each answer; ClarificationsFile is where
	// former trees and other tools keep them.
	ClarificationsDir = "clarifications"
	ColdDir           = "cold-storage"
	CondensationsDir  = "condensations" // <yyyy-mm-dd>-<topic>-<id>.md: what discussions came to

	// Folders of records; see package records.
	QuestionsDir   = "questions"
	ActionsDir     = "actions"
	GoalsDir       = "goals"
	ConstraintsDir = "constraints"
	NotesDir       = "notes"
	ThreadsDir     = "threads"  // <channel>/<thread>/: the thread and its messages
	ChannelsDir    = "channels" // <channel>/pins/ and <channel>/messages/
	HandoffsDir    = "handoffs"
	ProjectsDir    = "projects" // <project>/: its settings, what changed them, and CONTEXT.md

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

// What the write protocol keeps in `.local/`.
const (
	gitIgnoreFile = ".gitignore"
	watchLockFile = "watch.lock"      // held by the one watcher of the tree
	lockFile      = "lock"            // never unlinked, holds nothing
	holderFile    = "holder"          // who has the lock, and whether it was given back
	queueDir      = "queue"           // a ticket of each transaction that waits for the lock
	incidentFile  = "incidents.jsonl" // see Incident
	stageDir      = "stage"           // files on their way to their place
	txnDir        = "txn"             // transactions of several names
	displacedDir  = "displaced"       // what a replace took the place of
	recoveredDir  = "recovered"       // bytes that are live nowhere
	trashDir      = "trash"           // what was removed
	lastDir       = "last"            // what was written last, until it was seen to stand
	indexDir      = "index"           // what was derived from documents
)

// What the rooms keep in `.local/`; see LocalName.
const (
	ActedFile    = "acted.json"    // what was last acted on
	CountersFile = "counters.json" // what was counted since the last checkpoint
	WatchFile    = "watch.json"    // how the watcher does
	UsageFile    = "usage.json"    // how large an agent's request was, as it said
)

// LocalName is the name of elem below folder's `.local/`.
func LocalName(folder string, elem ...string) string {
	return path.Join(append([]string{folder, LocalDir}, elem...)...)
}

// GitIgnore is the text of folder's `.gitignore`: what each working copy has
// for itself.
func GitIgnore(folder string) []byte {
	lines := []string{"# Written by forgemind: what each working copy keeps for itself.", "/" + LocalDir + "/"}
	switch folder {
	case Forgemind:
		lines = append(lines, "/context/messages.jsonl", "/cache/")
	case Quaid:
		lines = append(lines, "/context/active_session.txt", "/context/sessions.jsonl")
	}
	lines = append(lines, "/cold-storage/", "/logs/",
		"# What programs leave beside documents.",
		".DS_Store", "._*", "Thumbs.db", "desktop.ini", "*~", ".*.sw?", ".#*", `\#*#`, "*.sync-conflict-*",
		"~$*", ".~*", ".nfs*", ".fuse_hidden*", ".goutputstream-*", ".syncthing.*", "___jb_*", ".directory", ".*.icloud")
	return []byte(strings.Join(lines, "\n") + "\n")
}

// GitIgnoreViews is GitIgnore for trees in which git tracks records and no views of
// them: each working copy renders its own.
func GitIgnoreViews(folder string) []byte {
	lines := string(GitIgnore(folder)) + "# Views, which forgemind renders from the records that git tracks.\n"
	switch folder {
	case Forgemind:
		lines += "/context/current-context.json\n"
	case Quaid:
		lines += "/context/sessions/\n"
	}
	lines += "/threads/*/*.json\n/channels/*/pins.json\n"
	return []byte(lines)
}

// A Doc says which document stands at a Name. Where the document is JSON or
// JSONL its string is the name of its schema.
type Doc string

// The documents.
const (
	NoDoc            Doc = ""
	DocConfig        Doc = "config"
	DocKnobs         Doc = "context-config" // YAML
	DocState         Doc = "current-context"
	DocSnapshot      Doc = "snapshot" // judged by the schema current-context
	DocDecision      Doc = "decision"
	DocQuestion      Doc = "question"
	DocAction        Doc = "action"
	DocGoal          Doc = "goal"
	DocConstraint    Doc = "constraint"
	DocNote          Doc = "note"
	DocChange        Doc = "change"         // a later file of a record
	DocProjectRecord Doc = "project-record" // what is known of the project as a whole
	DocMessage       Doc = "message"
	DocClarification Doc = "clarification"
	DocCacheIndex    Doc = "cache-index"
	DocPins          Doc = "pins"
	DocPin           Doc = "pin"
	DocThread        Doc = "thread"
	DocThreadRecord  Doc = "thread-record" // judged by the schema thread
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

// Schema returns the name of the schema that d is judged by, "" if it has none.
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
	case DocQuestion, DocAction, DocGoal, DocConstraint, DocNote, DocPin, DocThreadRecord, DocHandoff, DocClarification, DocProject:
		return true
	}
	return false
}

// places lists every place that a document has below either folder. In a part of the
// path one star stands for anything but a slash.
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
	{"projects/*/project.*.json", DocProject},
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

// Place says which document stands at name. NoDoc means that forgemind knows
// no document of that place.
func Place(name string) Doc {
	folder, rest, ok := strings.Cut(name, "/")
	if !ok || (folder != Forgemind && folder != Quaid) {
		return NoDoc
	}
	for _, p := range places {
		if matches(p.pattern, rest) {
			stem, isJSON := strings.CutSuffix(path.Base(name), ".json")
			_, change, dotted := strings.Cut(stem, ".")
			switch {
			case !isJSON || !p.doc.isRecord() || !dotted:
				return p.doc
			case p.doc == DocProject && !strings.Contains(change, "-"):
				return NoDoc // a person's, such as project.backup.json
			}
			return DocChange
		}
	}
	return NoDoc
}

// matches is path.Match for the patterns of places: it is asked for every name of
// a tree.
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

// IsLocal says whether name stands in a `.local/` folder, which is never
// committed, never judged and never watched.
func IsLocal(name string) bool {
	folder, rest, _ := strings.Cut(name, "/")
	return (folder == Forgemind || folder == Quaid) &&
		(rest == LocalDir || strings.HasPrefix(rest, LocalDir+"/"))
}
