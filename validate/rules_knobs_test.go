package validate

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// TestKnobRules judges, for every rule about knobs, a file that breaks it, and the
// nearest one that does not.
func TestKnobRules(t *testing.T) {
	memfas := `{"compaction": {"policy": "memfas", "thresholds": {"curation": 40, "compaction": 60}}}` + "\n"
	for _, c := range []struct {
		name         string
		wrong, right pages
		want         []string
	}{
		{
			"yaml-syntax",
			pages{fs.Knobs: "A: 'é' : 1\n"}, pages{fs.Knobs: "", fs.QuaidKnobs: "# nothing\n---\n"},
			[]string{`.forgemind/context-config.yaml:1:8: error: no YAML: mapping values are not allowed in this context [yaml-syntax]`},
		},
		{
			"yaml-syntax: no settings",
			pages{fs.QuaidKnobs: "\n# a\n- RELEVANCE_CUTOFF: 0.3\n"}, pages{fs.QuaidKnobs: "{RELEVANCE_CUTOFF: 0.3}"},
			[]string{`.quaid/context-config.yaml:3:1: error: no YAML: expected a mapping, such as name: value [yaml-syntax]`},
		},
		{
			"yaml-syntax says nothing of what others say",
			pages{fs.Knobs: "<<<<<<< HEAD\nRELEVANCE_CUTOFF: 0.3\n=======\nRELEVANCE_CUTOFF: 0.2\n>>>>>>> b\n", fs.QuaidKnobs: "RELEVANCE_CUTOFF: 0.3\n# Caf\xe9\n"},
			pages{},
			[]string{
				`.forgemind/context-config.yaml:1:1: error: merge conflict marker "<<<<<<< HEAD" [conflict-marker]`,
				`.quaid/context-config.yaml:2:6: error: the text is not UTF-8: byte 0xe9 [encoding]`,
			},
		},
		{
			"unknown-knob",
			pages{fs.Knobs: "\ufeff# é\nrelevance_cutoff : 0.3\n? [a]\n: 1\n"}, pages{fs.Knobs: "RELEVANCE_CUTOFF : 0.3\n"},
			[]string{
				`.forgemind/context-config.yaml:2:1: warning: unknown knob relevance_cutoff [unknown-knob]`,
				`.forgemind/context-config.yaml:3:3: warning: a knob has a name [unknown-knob]`,
			},
		},
		{
			"duplicate-knob",
			pages{fs.Knobs: "LOG_DROPS: true\nLOG_DROPS: true\n"}, pages{fs.Knobs: "IMPORTANCE_BOOT: 0.1\nIMPORTANCE_BONUS: 0.10\n", fs.QuaidKnobs: "IMPORTANCE_BONUS: 0.3\n"},
			[]string{`.forgemind/context-config.yaml:2:1: error: LOG_DROPS is there twice; the first holds [duplicate-knob]`},
		},
		{
			"knob-value",
			pages{fs.Knobs: "é: 1\n'MEMFAS_WEIGHT':  60 # percent\n"}, pages{fs.Knobs: "'MEMFAS_WEIGHT':  6e-1 # percent\nLOG_DROPS: OFF\n"},
			[]string{
				`.forgemind/context-config.yaml:1:1: warning: unknown knob "é" [unknown-knob]`,
				`.forgemind/context-config.yaml:2:19: error: MEMFAS_WEIGHT: a weight from 0 to 1 is expected, not 60 [knob-value]`,
			},
		},
		{
			"knob-value: a path that leads out",
			pages{fs.QuaidKnobs: "COLD_STORAGE_PATH: /var/cold/\nLOG_PATH: ~/.clawdbot/../logs\n"}, pages{fs.QuaidKnobs: "COLD_STORAGE_PATH: ~/.clawdbot/cold-storage\nLOG_PATH: .quaid/logs/context/\n"},
			[]string{
				`.quaid/context-config.yaml:1:20: error: COLD_STORAGE_PATH: cold-storage/ in the tree's own folder is expected, not /var/cold/ [knob-value]`,
				`.quaid/context-config.yaml:2:11: warning: LOG_PATH: ~/.clawdbot/../logs is not used: the place is logs/context/ in the tree's own folder [ignored-setting]`,
			},
		},
		{
			"ignored-setting",
			pages{fs.Knobs: "SUMMARY_MODEL: some/model\nsummarizer: {kind: command}\n"}, pages{fs.Knobs: "SUMMARY_MODEL: none\n", fs.QuaidKnobs: "SUMMARY_MODEL:\n"},
			[]string{
				`.forgemind/context-config.yaml:1:1: warning: a tree cannot name a summarizer; it is ignored [ignored-setting]`,
				`.forgemind/context-config.yaml:2:1: warning: a tree cannot name a summarizer; it is ignored [ignored-setting]`,
			},
		},
		{
			"knob-contradiction with a default",
			pages{fs.Knobs: "LOG_DROPS: true\nRELEVANCE_CUTOFF: 0.8\n"}, pages{fs.Knobs: "RELEVANCE_CUTOFF: 0.7\n"},
			[]string{`.forgemind/context-config.yaml:2:19: error: RELEVANCE_CUTOFF 0.8 is above KEEP_THRESHOLD 0.7: what scores between them would have to be dropped and kept [knob-contradiction]`},
		},
		{
			"knob-contradiction of two files",
			pages{fs.Knobs: "\ufeffRELEVANCE_CUTOFF: 0.6\n", fs.QuaidKnobs: "KEEP_THRESHOLD: 0.5\n"}, pages{fs.Knobs: "RELEVANCE_CUTOFF: 0.5\n", fs.QuaidKnobs: "RELEVANCE_CUTOFF: 0.6\nKEEP_THRESHOLD: 0.6\n"},
			[]string{`.forgemind/context-config.yaml:1:19: error: RELEVANCE_CUTOFF 0.6 is above KEEP_THRESHOLD 0.5: what scores between them would have to be dropped and kept (with what .quaid/context-config.yaml sets) [knob-contradiction]`},
		},
		{
			"knob-contradiction is said once",
			pages{fs.Knobs: "RELEVANCE_CUTOFF: 0.8\n", fs.QuaidKnobs: "LOG_DROPS: true\n"}, pages{},
			[]string{`.forgemind/context-config.yaml:1:19: error: RELEVANCE_CUTOFF 0.8 is above KEEP_THRESHOLD 0.7: what scores between them would have to be dropped and kept [knob-contradiction]`},
		},
		{
			"knob-threshold",
			pages{fs.Config: memfas, fs.Knobs: "COMPACTION_TRIGGER_PCT: 0.5\nCURATION_TRIGGER_PCT: 0.4\n"}, pages{fs.Config: memfas, fs.Knobs: "COMPACTION_TRIGGER_PCT: 0.6\n"},
			[]string{`.forgemind/config.json:1:82: warning: compaction is 60 % here, but COMPACTION_TRIGGER_PCT is 0.5 in context-config.yaml, and does not count [knob-threshold]`},
		},
		{
			"knob-threshold of another policy means nothing",
			pages{}, pages{fs.Config: strings.Replace(memfas, "memfas", "quaid", 1), fs.Knobs: "COMPACTION_TRIGGER_PCT: 0.5\n", fs.QuaidConfig: memfas},
			nil,
		},
		{
			"knob-threshold of a knob that does not hold",
			pages{}, pages{fs.Config: memfas, fs.Knobs: "MIN_CHUNKS_TO_KEEP: 5\n"},
			nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, "wrong", judgeTree(t, c.wrong), c.want...)
			expect(t, "right", judgeTree(t, c.right))
		})
	}
}

// A finding about a name that is almost one says which was meant, and one file
// by itself is judged like one in a tree.
func TestKnobsOfALoneFile(t *testing.T) {
	for _, name := range []string{fs.Knobs, fs.QuaidKnobs, "elsewhere/context-config.yaml", "/a/b/.forgemind/context-config.yaml"} {
		found := Bytes(name, []byte("RELEVANCE_CUTTOFF: 0.3\nLOG_DROP: true\nRECENCY: 1\nMAX_CONTEXT_PCT: 85\n"), Options{})
		var hints []string
		for _, f := range found {
			hints = append(hints, f.Pointer+" "+f.Hint)
		}
		if got := strings.Join(hints, "\n"); got != `/RELEVANCE_CUTTOFF did you mean RELEVANCE_CUTOFF?
/LOG_DROP did you mean LOG_DROPS?
/RECENCY forgemind config explain lists the knobs
/MAX_CONTEXT_PCT until it is mended the default holds; forgemind config explain tells what a knob means` {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// The gate lets no knob get worse, and no old fault stand in the way.
func TestGateOfKnobs(t *testing.T) {
	const faulty = "MAX_CONTEXT_PCT: 85\nLOG_DROPS: true\n"
	for _, c := range []struct{ before, after, refused string }{
		{faulty, "MAX_CONTEXT_PCT: 85\nLOG_DROPS: false\n", ""},
		{faulty, "MAX_CONTEXT_PCT: 0.85\nLOG_DROPS: true\n", ""},
		{faulty, "MAX_CONTEXT_PCT: 85\nLOG_DROPS: 1\n", "knob-value"},
		{faulty, "MAX_CONTEXT_PCT: [85\n", "yaml-syntax"},
		{faulty, faulty + "RELEVANCE_CUTOFF: 0.9\n", "knob-contradiction"},
		{faulty, faulty + "LOG_DROPS: true\n", "duplicate-knob"},
		{faulty, faulty + "LOG_DROP: true\n", ""},
	} {
		err := CheckWrite(pages{fs.Knobs: c.before}, pages{fs.Knobs: c.after}, []string{fs.Knobs})
		if (err == nil) != (c.refused == "") || err != nil && !strings.Contains(err.Error(), "["+c.refused+"]") {
			t.Errorf("%q to %q: %v, want %q", c.before, c.after, err, c.refused)
		}
	}
}

// Every fault that schema can find is told by a rule.
func TestEveryKnobFaultHasARule(t *testing.T) {
	for _, why := range []string{schema.UnknownKnob, schema.KnobTwice, schema.WrongValue, schema.UnusedValue} {
		src := map[string]string{schema.UnknownKnob: "X: 1", schema.KnobTwice: "LOG_DROPS: true\nLOG_DROPS: true", schema.WrongValue: "LOG_DROPS: x", schema.UnusedValue: "LOG_PATH: x"}[why]
		if found := Bytes(fs.Knobs, []byte(src), Options{}); len(found) != 1 {
			t.Errorf("%s: %v", why, found)
		}
	}
}

// Whatever a file of knobs holds, its findings have places in it and words that
// are fit for a terminal.
func FuzzKnobs(f *testing.F) {
	for _, seed := range []string{
		"RELEVANCE_CUTOFF: 0.9\nKEEP_THRESHOLD: 0.1\nLOG_DROPS: x\n", "\ufeffLOG_PATH: '../../\x1b[2J'\r\nLOG_PATH: a", "a: &a [*a]\n", "? {x: 1}\n: y\n",
		"SUMMARY_MODEL: !!binary x\nSUMMARIZER: \u202e\n", "{MEMFAS_WEIGHT: 0, RECENCY_BONUS: 0}", "<<: {LOG_DROPS: 1}\n", "A: |\n  x\u2028B: [\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		lines := strings.Count(string(src), "\n") + 1
		for _, found := range Bytes(fs.Knobs, src, Options{}) {
			text := found.Message + found.Hint + found.Pointer
			if found.Line < 1 || found.Line > lines || found.Column < 1 || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u202e' }) {
				t.Fatalf("%+v", found)
			}
		}
	})
}
