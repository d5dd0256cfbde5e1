package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// A setting is a knob of context-config.yaml or a member of config.json.
type setting struct {
	ID       string `json:"id"`            // name of the knob, or path of the member with dots
	Also     string `json:"also,omitzero"` // another spelling
	Means    string `json:"means"`
	Expects  string `json:"expects"`
	Unit     string `json:"unit"`
	Default  any    `json:"default"`
	Moves    string `json:"moves"`    // effect of a change
	Document string `json:"document"` // document of the setting, and its place there

	policies []string // policies that use a threshold
	knob     bool
}

// allSettings returns the knobs in the order of the memfas plan, and the members of config.json.
func allSettings() []setting {
	var all []setting
	for _, k := range schema.AllKnobs() {
		all = append(all, setting{ID: k.Name, Also: k.Also, Means: k.Means, Expects: k.Expects(), Unit: k.Unit, Default: knobValue(schema.DefaultKnobs(), k),
			Moves: k.Moves, Document: "memfas plan, " + k.Section, knob: true})
	}
	return append(all, configSettings()...)
}

// knobValue returns a knob's value for JSON output.
func knobValue(k schema.Knobs, knob schema.Knob) any {
	text, _ := k.Get(knob.Name)
	var value any
	if knob.Unit == "path" || knob.Unit == "model" || jsonedit.Decode([]byte(text), &value) != nil {
		return text
	}
	return value
}

const (
	cms    = "CMS document"
	quaid  = "Quaid document"
	memfas = "memfas plan"
	own    = "none, it is forgemind's own"
)

// configSettings returns the members of config.json.
func configSettings() []setting {
	member := func(id, unit, document string, otherwise any, moves string) setting {
		return setting{ID: id, Unit: unit, Document: document, Default: otherwise, Moves: moves, Means: described(id), Expects: expected(unit)}
	}
	list := []setting{
		member("compaction.policy", "policy", cms+", "+quaid+" and "+memfas, schema.PolicyForgemind,
			"Which thresholds hold, and what happens at each: forgemind compacts in four steps, quaid counts messages, memfas curates and drops by relevance."),
		member("compaction.window_tokens", "tokens", quaid, (*schema.Compaction)(nil).SessionWindow(),
			"Higher: compaction by the fill of a session comes later."),
	}
	for _, one := range thresholds(schema.Thresholds{}) {
		unit, document := "percent", ""
		if strings.HasSuffix(one.name, "_messages") {
			unit = "messages"
		}
		var policies []string
		var otherwise float64
		for _, of := range [][2]string{{schema.PolicyForgemind, cms}, {schema.PolicyQuaid, quaid}, {schema.PolicyMemfas, memfas}} {
			if value := thresholdOf(schema.Policies()[of[0]], one.name); value != 0 {
				policies, document, otherwise = append(policies, of[0]), cmp.Or(document, of[1]), cmp.Or(otherwise, value)
			}
		}
		s := member("compaction.thresholds."+one.name, unit, document, otherwise, "Lower: the policy acts sooner. No effect under another policy.")
		s.policies = policies
		list = append(list, s)
	}
	return append(list,
		member("refresh_triggers", "list", cms, triggers.Defaults(), "Which events have which effects; 'forgemind trigger list' lists them."),
		member("available_commands", "list", cms, schema.DefaultCommands(), "Which commands the State offers, and when."),
		member("loader.paths", "list", cms, schema.DefaultPaths(), "Where 'forgemind artifact load ID' looks."),
		member("loader.cache_max_bytes", "bytes", cms, artifact.DefaultCacheBytes, "Higher: more artifacts need not be read again."),
		member("loader.cache_max_entries", "entries", cms, artifact.DefaultCacheEntries, "Higher: more artifacts need not be read again."),
		member("loader.threshold_minutes", "minutes", cms, artifact.DefaultThreshold.Minutes(), "Lower: artifacts leave the window sooner when they are not used."),
		member("agents.boss", "list", cms, schema.DefaultBosses(), "The names of those whose messages can state a decision of the boss."),
		member("agents.decision_phrases", "list", cms, schema.DefaultDecisionPhrases(), "The phrases that mark a decision in a message of the boss."),
		member("entities", "object", quaid, map[string]any{}, "Names that are recognized in messages, in addition to those that rules find."),
		member("copies", "switch", own, "on", "Off: what 'git clean' removes cannot be restored."),
		member("validation.severity", "object", own, map[string]any{}, "Which findings are errors, warnings, or silent; 'forgemind explain' lists the rules."),
		member("validation.rules", "list", own, []any{}, "Which findings are errors, warnings, or silent in which documents."),
		member("validation.schemas", "list", own, []any{}, "Which documents are judged by JSON Schemas of the repository as well."),
		member("validation.ignore", "list", own, []any{}, "Which findings are accepted, with the reason; they are counted."),
	)
}

// A threshold is a member of schema.Thresholds.
type threshold struct {
	name  string
	value float64
}

func thresholds(t schema.Thresholds) []threshold {
	return []threshold{
		{"light", t.Light}, {"medium", t.Medium}, {"aggressive", t.Aggressive}, {"emergency", t.Emergency},
		{"summary_messages", float64(t.SummaryMessages)}, {"cluster_messages", float64(t.ClusterMessages)}, {"archive_messages", float64(t.ArchiveMessages)},
		{"curation", t.Curation}, {"compaction", t.Compaction}, {"hard_limit", t.HardLimit},
	}
}

func thresholdOf(t schema.Thresholds, name string) float64 {
	for _, one := range thresholds(t) {
		if one.name == name {
			return one.value
		}
	}
	return 0
}

// described returns the description of a member in the schema of config.json.
func described(id string) string {
	src, _ := schema.Source("config")
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return ""
	}
	text, _ := doc.Str(doc.Find("/properties/" + strings.ReplaceAll(id, ".", "/properties/") + "/description"))
	return text
}

// expected returns the allowed values for a unit.
func expected(unit string) string {
	switch unit {
	case "policy":
		return strings.Join([]string{schema.PolicyForgemind, schema.PolicyQuaid, schema.PolicyMemfas}, ", ")
	case "switch":
		return "on, off"
	case "percent":
		return "a percentage from 0 to 100; 0 is the policy's own"
	case "list":
		return "a JSON list"
	case "object":
		return "a JSON object"
	case "minutes":
		return "a number of minutes; 0 is the default"
	}
	return fmt.Sprintf("a whole number of %s; 0 is the default", unit)
}

// findSetting returns the setting with a name: a knob in any case, or a member of config.json by
// its path with dots or its JSON pointer.
func findSetting(name string) (setting, bool) {
	all := allSettings()
	i := slices.IndexFunc(all, func(s setting) bool {
		if s.knob {
			return strings.EqualFold(s.ID, name) || s.Also != "" && strings.EqualFold(s.Also, name)
		}
		return s.ID == name || pointerOf(s.ID) == name
	})
	if i < 0 {
		return setting{}, false
	}
	return all[i], true
}

// findSettings returns the settings with a name, and those below it.
func findSettings(name string) (list []setting) {
	if s, ok := findSetting(name); ok {
		return []setting{s}
	}
	for _, s := range allSettings() {
		if at := pointerOf(s.ID) + "/"; !s.knob && strings.HasPrefix(at, pointerOf(name)+"/") {
			list = append(list, s)
		}
	}
	return list
}

// pointerOf returns the JSON pointer for a path with dots.
func pointerOf(path string) string {
	if path == "" || path[0] == '/' {
		return path
	}
	return "/" + strings.ReplaceAll(path, ".", "/")
}

// settingNames returns the names of all settings in every spelling.
func settingNames() (list []string) {
	for _, s := range allSettings() {
		list = append(list, s.ID)
		if s.Also != "" {
			list = append(list, s.Also)
		}
	}
	return list
}

// unknownSetting returns the error for a name that is no setting.
func unknownSetting(command, name string) error {
	known := settingNames()
	upper := strings.ToUpper(name)
	best := cmp.Or(text.Nearest(name, known), text.Nearest(upper, known))
	hint := "'forgemind config explain' lists the settings"
	if best != "" {
		hint = fmt.Sprintf("did you mean '%s'?", best)
	}
	return &usageError{fmt.Sprintf("%s: there is no setting %q", command, short(name, 60)), hint}
}
