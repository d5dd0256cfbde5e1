package validate

import (
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

var ignoredSetting = Rule{
	Name:     "ignored-setting",
	Severity: Warning,
	Summary:  "A setting of a tree that is not followed.",
	Help: `The config.json or context-config.yaml of a tree names a summarizer (summarizer, or
SUMMARY_MODEL). A summarizer is a program that is run, or a server that gets what was
said: whoever can write to a project must not choose it. It is ignored. SUMMARY_MODEL: none
says nothing, and is no finding. The same holds for embeddings in config.json.

Or COLD_STORAGE_PATH or LOG_PATH of context-config.yaml names a place that is not the one
it always has: cold-storage/ and logs/context/ in the tree's own folder. That is where
everything goes, whatever the setting says.

Or an ignore is not followed: a comment "forgemind: ignore" without a reason or with a name
that no rule has, or one of lost-decision, changed-decision, lost-record and
changed-record. To ignore these, or to give them a severity by path, would hide that
something was lost.

Wrong:

    {"summarizer": {"kind": "command", "command": ["llm"]}}     in .quaid/config.json

Right: the same in your own configuration, $XDG_CONFIG_HOME/forgemind/config.json, which
is ~/.config/forgemind/config.json where that variable is not set.

To mend it, move it there; docs/summarizer.md and docs/embeddings.md say what it may hold. Remove a path that
is not followed, or write the one that is.
`,
	whole: func(d *document) {
		f := d.knobFile()
		if f == nil {
			return
		}
		for _, p := range f.pairs {
			if isSummarizer(p.Key) && (p.Key != "SUMMARY_MODEL" || f.knobs.SummaryModel != "") {
				d.report(p.KeyAt, knobPointer(p.Key), ignoredSummarizer, ignoredSummarizerHint)
			}
		}
		d.knobFaults(schema.UnusedValue, "remove the line, or write the place that is used")
	},
	record: func(d *document) {
		if d.kind != fs.DocConfig || !d.parsed() {
			return
		}
		for c := d.first(0); c >= 0; c = d.next(c) {
			switch name := d.tape.Key(c); {
			case isSummarizer(name):
				d.at(c, ignoredSummarizer, ignoredSummarizerHint)
			case strings.EqualFold(name, "embeddings") && d.tape.Member(c, "model") >= 0:
				d.at(c, ignoredEmbeddings, ignoredEmbeddingsHint)
			}
		}
	},
}

const (
	ignoredSummarizer     = "a tree cannot name a summarizer; it is ignored"
	ignoredSummarizerHint = "put it into your own configuration, ~/.config/forgemind/config.json; see docs/summarizer.md"
	ignoredEmbeddings     = "a tree cannot name a server for embeddings; it is ignored"
	ignoredEmbeddingsHint = "put it into your own configuration, ~/.config/forgemind/config.json; see docs/embeddings.md"
)

// isSummarizer reports whether a setting chooses the summarizer.
func isSummarizer(name string) bool {
	return strings.EqualFold(name, "summarizer") || strings.EqualFold(name, "SUMMARY_MODEL")
}
