package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// A setting is a knob of context-config.yaml or a member of config.json, for
// people.
type setting struct {
	ID       string `json:"id"`            // the knob's name, or the member's path with dots
	Also     string `json:"also,omitzero"` // another spelling
	Means    string `json:"means"`
	Expects  string `json:"expects"`
	Unit     string `json:"unit"`
	Default  any    `json:"default"`
	Moves    string `json:"moves"`    // what happens when it changes
	Document string `json:"document"` // which one has it, and where in it

	policies []string // those that a threshold means something for
	knob     bool
}

// allSettings are the knobs in the order of the memfas plan, and the members of
// config.json.
func allSettings() []setting {
	var all []setting
	for _, k := range schema.AllKnobs() {
		all = append(all, setting{ID: k.Name, Also: k.Also, Means: k.Means, Expects: k.Expects(), Unit: k.Unit, Default: knobValue(schema.DefaultKnobs(), k),
			Moves: k.Moves, Document: "memfas plan, " + k.Section, knob: true})
	}
	return append(all, configSettings()...)
}

// knobValue is a knob's value as JSON has it.
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

// configSettings are the members of config.json.
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
		s := member("compaction.thresholds."+one.name, unit, document, otherwise, "Lower: the policy acts sooner. Nothing under another policy.")
		s.policies = policies
		list = append(list, s)
	}
	return append(list,
		member("refresh_triggers", "list", cms, triggers.Defaults(), "Which events have which effects; 'forgemind triggers' lists them."),
		member("available_commands", "list", cms, schema.DefaultCommands(), "Which commands the State offers, and when."),
		member("loader.paths", "list", cms, schema.DefaultPaths(), "Where 'forgemind load ID' looks."),
		member("loader.cache_max_bytes", "bytes", cms, artifact.DefaultCacheBytes, "Higher: more artifacts need not be read again."),
		member("loader.cache_max_entries", "entries", cms, artifact.DefaultCacheEntries, "Higher: more artifacts need not be read again."),
		member("loader.threshold_minutes", "minutes", cms, artifact.DefaultThreshold.Minutes(), "Lower: artifacts leave the window sooner when they are not used."),
		member("agents.boss", "list", cms, schema.DefaultBosses(), "Whose messages can hold a decision of the boss."),
		member("agents.decision_phrases", "list", cms, schema.DefaultDecisionPhrases(), "Which words make a decision of the boss's message."),
		member("discussions.trusted", "object", own, map[string]any{}, "Whose decisions count in the files of chat bridges, by channel; those of others are proposed."),
		member("entities", "object", quaid, map[string]any{}, "Which names are recognised in messages besides those that rules find."),
		member("validation.severity", "object", own, map[string]any{}, "Which findings are errors, warnings, or silent; 'forgemind explain' lists the rules."),
	)
}

// A threshold is one of schema.Thresholds by its member's name.
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

// described is what the schema of config.json says of a member.
func described(id string) string {
	src, _ := schema.Source("config")
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return ""
	}
	text, _ := doc.Str(doc.Find("/properties/" + strings.ReplaceAll(id, ".", "/properties/") + "/description"))
	return text
}

// expected says which values a member of that unit takes.
func expected(unit string) string {
	switch unit {
	case "policy":
		return strings.Join([]string{schema.PolicyForgemind, schema.PolicyQuaid, schema.PolicyMemfas}, ", ")
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

// findSetting is the setting of that name: a knob in whatever case, a member of
// config.json by its path with dots or its JSON pointer.
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

// findSettings are the settings of that name, and those below it.
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

// pointerOf is the JSON pointer of a path with dots.
func pointerOf(path string) string {
	if path == "" || path[0] == '/' {
		return path
	}
	return "/" + strings.ReplaceAll(path, ".", "/")
}

// settingNames are the names of all settings, by every spelling.
func settingNames() (list []string) {
	for _, s := range allSettings() {
		list = append(list, s.ID)
		if s.Also != "" {
			list = append(list, s.Also)
		}
	}
	return list
}

// unknownSetting is the error of a name that no setting has.
func unknownSetting(command, name string) error {
	known := settingNames()
	upper := strings.ToUpper(name)
	best := cmp.Or(nearest(name, known), nearest(upper, known))
	hint := "'forgemind config explain' lists the settings"
	if best != "" {
		hint = fmt.Sprintf("did you mean '%s'?", best)
	}
	return &usageError{fmt.Sprintf("%s: there is no setting %q", command, short(name, 60)), hint}
}
