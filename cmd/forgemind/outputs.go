package main

import (
	"reflect"

	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/audit"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/exporter"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/internal/present"
	"github.com/forgemind/forgemind/internal/query"
	past "github.com/forgemind/forgemind/internal/recall"
	"github.com/forgemind/forgemind/internal/refresh"
	"github.com/forgemind/forgemind/internal/sync"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// A hotVersion is the version of the hot context, in the output of a command that changes it.
type hotVersion struct {
	Version int `json:"hot_version,omitzero"` // of the hot context after the change
}

// A validationReport is the output of validate with --format json.
type validationReport struct {
	validate.Report
	Version present.Hidden `json:"version,omitzero"`
}

// outputs returns what commands print with --format json, by name.
func outputs() []present.Output {
	hot := reflect.TypeFor[hotVersion]()
	list := []present.Output{
		present.OutputOf[plainAction]("action", "A pending action that was added or is done").Also(hot),
		present.OutputOf[archivedSession]("archived_session", "A session that was archived, and the one that follows it"),
		present.OutputOf[contextReport]("assembly", "A context that was assembled for a prompt"),
		present.OutputOf[entriesJSON]("attic", "Entries of the attic"),
		present.OutputOf[shownEntry]("attic_entry", "An entry of the attic with its bytes"),
		present.OutputOf[audit.Report]("audit", "What is stale"),
		present.OutputOf[backtrackReport]("backtrack", "A return to the previous layer"),
		present.OutputOf[briefReport]("brief", "The summary for the start of a session"),
		present.OutputOf[shownChunk]("chunk", "A chunk of cold storage"),
		present.OutputOf[schema.Clarification]("clarification", "The answer to a question").Also(hot),
		present.OutputOf[clarifyReport]("clarifications", "Answers to open questions"),
		present.OutputOf[coldCheck]("cold_storage_check", "Whether cold storage can be read and is complete"),
		present.OutputOf[compactReport]("compaction", "What a compaction did with each message"),
		present.OutputOf[condenseReport]("condensation", "The condensation of a discussion"),
		present.OutputOf[pinReport]("pin", "A condensation that was pinned or unpinned"),
		present.OutputOf[plainConstraint]("constraint", "A constraint that was added or removed").Also(hot),
		present.OutputOf[artifact.View]("context", "What an agent has to know in the current layer"),
		present.OutputOf[copyReport]("copies", "Copies of what git ignores"),
		present.OutputOf[listedDecision]("decision", "A decision").Also(hot),
		present.OutputOf[health.Explained]("drop", "Why a chunk was dropped"),
		present.OutputOf[editorSetting]("editor", "What an editor needs to start the language server"),
		present.OutputOf[errorReport]("error", "An error; with any command"),
		present.OutputOf[expiredFiles]("expired_files", "Files of cold storage that have expired"),
		present.OutputOf[exportReport]("exported", "Files that export wrote, or the report that it would write"),
		present.OutputOf[touchedFile]("file", "A file that is worked on").Also(hot),
		present.OutputOf[past.Fragment]("fragment", "What a session left in long-term memory"),
		present.OutputOf[fragmentSearch]("fragment_search", "Fragments and messages that match a query"),
		present.OutputOf[schema.Goal]("goal", "A goal that was added or changed").Also(hot),
		present.OutputOf[query.Governing]("governs", "What applies to a file"),
		present.OutputOf[condense.Handoff]("handoff", "Work that one agent hands to another"),
		present.OutputOf[healthReport]("health", "How full the context window is"),
		present.OutputOf[hookChange]("hook_change", "What was installed for agents, or removed"),
		present.OutputOf[hookStatus]("hook_status", "What is installed for which agent"),
		present.OutputOf[importOutput]("import", "The result of an import"),
		present.OutputOf[importedSession]("imported_session", "A session that begins with a transcript"),
		present.OutputOf[initReport]("init", "The files of a new tree"),
		present.OutputOf[loadReport]("loaded_artifact", "An artifact that was loaded, with its content"),
		present.OutputOf[logReport]("log", "What happened, in order of time"),
		present.OutputOf[rememberedEntry]("memory_entry", "An entry that was added to a note"),
		present.OutputOf[shownNote]("memory_note", "A note with its sections"),
		present.OutputOf[shownNotes]("memory_notes", "All notes with their sections"),
		present.OutputOf[revisedEntry]("memory_revision", "An entry of a note that was changed or removed"),
		present.OutputOf[messageItem]("message", "A message that was added"),
		present.OutputOf[importReport]("message_import", "The result of importing a transcript"),
		present.OutputOf[movedReport]("moved_artifacts", "Artifacts that were loaded or unloaded"),
		present.OutputOf[plainNote]("note", "Something to remember that was added or removed").Also(hot),
		present.OutputOf[refresh.Occurrence]("occurrence", "One thing that watch noticed or did; one a line"),
		present.OutputOf[outcomeReport]("outcome", "What a change wrote, and what fired"),
		present.OutputOf[postedMessage]("posted_message", "A message that was added to a thread"),
		present.OutputOf[listedProject]("project", "A project that was added or changed"),
		present.OutputOf[schema.Question]("question", "A question that was asked").Also(hot),
		present.OutputOf[recoverReport]("recovered_chunks", "Chunks that were found or restored, best first"),
		present.OutputOf[health.Replay]("replay", "What other settings would have done with logged drops"),
		present.OutputOf[resetReport]("reset", "What was moved to the trash"),
		present.OutputOf[restoredSession]("restored_session", "A session that is active again"),
		present.OutputOf[ruleView]("rule", "A rule of validate or audit"),
		present.OutputOf[searchReport]("search", "Search results, best first"),
		present.OutputOf[serviceReport]("service", "The state of the watcher's service"),
		present.OutputOf[listedSession]("session", "A session that was begun"),
		present.OutputOf[sessionView]("session_detail", "Status of a session"),
		present.OutputOf[sessionSummary]("session_summary", "The summary of a session"),
		present.OutputOf[sessionReport]("session_turn", "The end of one session and the start of the next"),
		present.OutputOf[shownSetting]("setting", "A setting and where its value comes from"),
		present.OutputOf[setReport]("setting_change", "A setting that was changed"),
		present.OutputOf[setting]("setting_help", "What a setting means"),
		present.OutputOf[settingsHelp]("settings_help", "What the settings mean"),
		present.OutputOf[shownPast]("snapshot", "A snapshot with its State"),
		present.OutputOf[pastDiff]("snapshot_diff", "What differs between two snapshots"),
		present.OutputOf[statusReport]("status", "The state of the tree and of the context window"),
		present.OutputOf[statusLine]("statusline", "An agent's status line"),
		present.OutputOf[claimReport]("claim", "A claim of an action or a thread, or its end"),
		present.OutputOf[sync.Report]("sync", "What was exchanged with the remote"),
		present.OutputOf[sync.Status]("sync_status", "Status of the tree relative to its remote"),
		present.OutputOf[condense.Thread]("thread", "A thread that was opened or changed"),
		present.OutputOf[threadDetail]("thread_detail", "A thread with its messages"),
		present.OutputOf[threadImport]("thread_import", "The result of importing a chat export"),
		present.OutputOf[listedTrigger]("trigger", "A trigger and its state"),
		present.OutputOf[health.Tuning]("tuning", "What the logs say about the settings"),
		present.OutputOf[uncompactReport]("uncompaction", "A compaction that was undone"),
		present.OutputOf[validationReport]("validation", "Findings of validate"),
		present.OutputOf[versionReport]("version", "The version of forgemind"),
	}
	shown := present.OutputOf[shownDetail]("detail", "One thing with its changes and what names it; its kind is the kind of that thing")
	shown.Any = true
	line := present.OutputOf[exporter.Line]("export", "A line of export json: a file of the tree, or a line of one that holds lines; its kind is the kind of what the file is about")
	line.Any = true
	return append(append(list, shown, line), listOutputs()...)
}

// listOutputs returns the outputs of commands that list.
func listOutputs() []present.Output {
	return []present.Output{
		present.ListOf[plainAction]("actions", "Pending actions"),
		present.ListOf[schema.Artifact]("artifacts", "Artifacts"),
		present.ListOf[health.Check]("checks", "What doctor checked"),
		present.ListOf[shownChunk]("chunks", "Chunks of cold storage"),
		present.ListOf[syncAuthor]("authors", "Who sent something to the remote, the last one first"),
		present.ListOf[offeredCommand]("commands", "Commands of the facilitator"),
		present.ListOf[plainConstraint]("constraints", "Constraints"),
		present.ListOf[listedDecision]("decisions", "Decisions"),
		present.ListOf[detectedStatement]("detected", "Decisions, rules or goals in messages that nobody recorded"),
		present.ListOf[shownDrop]("drops", "Chunks that were dropped"),
		present.ListOf[listedEntity]("entities", "Entities of the session"),
		present.ListOf[listedFile]("files", "Files that calls of tools touched"),
		present.ListOf[replacing]("replacements", "What a text or a message may replace"),
		present.ListOf[listedFragment]("fragments", "Fragments of long-term memory"),
		present.ListOf[listedGoal]("goals", "Goals, with their last change"),
		present.ListOf[condense.Handoff]("handoffs", "Handoffs"),
		present.ListOf[operation.FoundSource]("import_sources", "Sources that can be imported"),
		present.ListOf[shownMessage]("messages", "Messages in order of time"),
		present.ListOf[schema.NoteRecord]("notes", "Notes"),
		present.ListOf[listedProject]("projects", "Projects"),
		present.ListOf[schema.Question]("questions", "Open questions"),
		present.ListOf[ruleView]("rules", "The rules of validate"),
		present.ListOf[schemaName]("schemas", "The names of the schemas"),
		present.ListOf[listedSession]("sessions", "Sessions"),
		present.ListOf[shownSetting]("settings", "Settings and where their values come from"),
		present.ListOf[listedPast]("snapshots", "Snapshots"),
		present.ListOf[listedThread]("threads", "Threads"),
		present.ListOf[listedTrigger]("triggers", "Triggers and their state"),
	}
}
