package schema_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/schema"
)

// plan holds the defaults of the memfas plan, copied by hand; SUMMARY_MODEL is not set.
const plan = `COMPACTION_TRIGGER_PCT 0.50
MAX_CONTEXT_PCT 0.85
RELEVANCE_CUTOFF 0.3
RECENCY_BONUS 0.2
IMPORTANCE_BOOT 0.1
MIN_CHUNKS_TO_KEEP 5
MEMFAS_MIN_SCORE 0.05
MEMFAS_WEIGHT 0.6
CURATION_TRIGGER_PCT 0.40
COLD_STORAGE_ENABLED true
COLD_STORAGE_PATH ~/.clawdbot/cold-storage/
RECOVERABLE_FOR_DAYS 30
SUMMARIZE_MEDIUM_CHUNKS true
SUMMARY_TARGET_TOKENS 500
LOG_PATH ~/.clawdbot/logs/context/
LOG_COMPACTION true
LOG_CURATION true
LOG_DROPS true
LOG_RECOVERY true`

func TestTheDefaultsAreThePlans(t *testing.T) {
	k := schema.Knobs{KeepThreshold: 0.7}
	for line := range strings.SplitSeq(plan, "\n") {
		name, value, _ := strings.Cut(line, " ")
		if err := k.Set(name, value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if k != schema.DefaultKnobs() {
		t.Errorf("the plan says\n%+v, the defaults are\n%+v", k, schema.DefaultKnobs())
	}
	if got := k.Deciding(); got != "RELEVANCE_CUTOFF=0.3 KEEP_THRESHOLD=0.7 MEMFAS_WEIGHT=0.6 RECENCY_BONUS=0.2 IMPORTANCE_BONUS=0.1 MEMFAS_MIN_SCORE=0.05" {
		t.Error(got)
	}
	if found := k.Contradictions(); found != nil {
		t.Errorf("the plan contradicts itself: %v", found)
	}
}

// Each knob is one field of Knobs, and each field has a knob.
func TestAKnobIsAField(t *testing.T) {
	other := map[string]string{"ratio": "0.99", "weight": "0.99", "switch": "no", "model": "some/model"}
	moved := map[string]string{}
	for _, knob := range schema.AllKnobs() {
		if knob.Means == "" || knob.Moves == "" || knob.Section == "" || knob.Unit == "" {
			t.Errorf("%s says too little about itself: %+v", knob.Name, knob)
		}
		value := other[knob.Unit]
		switch {
		case knob.Unit == "path":
			value = ""
		case value == "":
			value = "77"
		}
		k := schema.DefaultKnobs()
		if knob.Unit == "path" {
			k = schema.Knobs{}
			value = knob.Default()
		}
		before := k
		if err := k.Set(knob.Name, value); err != nil {
			t.Errorf("%s: %v", knob.Name, err)
		}
		for field, was := range reflect.ValueOf(before).Fields() {
			if is := reflect.ValueOf(k).FieldByIndex(field.Index); !is.Equal(was) {
				if moved[field.Name] != "" {
					t.Errorf("%s and %s move %s", moved[field.Name], knob.Name, field.Name)
				}
				moved[field.Name] = knob.Name
			}
		}
		back := schema.Knobs{}
		got, ok := k.Get(knob.Name)
		if err := back.Set(knob.Name, got); err != nil || !ok {
			t.Errorf("%s: what Get says, %q, Set refuses: %v", knob.Name, got, err)
		}
		if again, _ := back.Get(knob.Name); again != got {
			t.Errorf("%s: %q comes back as %q", knob.Name, got, again)
		}
	}
	if len(moved) != reflect.TypeFor[schema.Knobs]().NumField() {
		t.Errorf("knobs move only these fields: %v", moved)
	}
}

func TestWhatAKnobTakes(t *testing.T) {
	for _, c := range []struct{ name, value, got, refused string }{
		{name: "COMPACTION_TRIGGER_PCT", value: "0.6", got: "0.6"},
		{name: "COMPACTION_TRIGGER_PCT", value: "1", got: "1"},
		{name: "COMPACTION_TRIGGER_PCT", value: "5e-1", got: "0.5"},
		{name: "COMPACTION_TRIGGER_PCT", value: "60", refused: "a ratio from 0.01 to 1: 0.6 for 60 % is expected, not 60"},
		{name: "COMPACTION_TRIGGER_PCT", value: "60%", refused: "a ratio from 0.01 to 1: 0.6 for 60 % is expected, not 60%"},
		{name: "COMPACTION_TRIGGER_PCT", value: "0", refused: "a ratio from 0.01 to 1: 0.5 for 50 % is expected, not 0"},
		{name: "COMPACTION_TRIGGER_PCT", value: "half", refused: "a ratio from 0.01 to 1: 0.5 for 50 % is expected, not half"},
		{name: "RELEVANCE_CUTOFF", value: "0", got: "0"},
		{name: "RELEVANCE_CUTOFF", value: "-0", got: "0"},
		{name: "RELEVANCE_CUTOFF", value: "-0.1", refused: "a ratio from 0 to 1: 0.5 for 50 % is expected, not -0.1"},
		{name: "RELEVANCE_CUTOFF", value: "NaN", refused: "a ratio from 0 to 1: 0.5 for 50 % is expected, not NaN"},
		{name: "RELEVANCE_CUTOFF", value: "0x1p-2", refused: "a ratio from 0 to 1: 0.5 for 50 % is expected, not 0x1p-2"},
		{name: "RELEVANCE_CUTOFF", value: "1e999", refused: "a ratio from 0 to 1: 0.5 for 50 % is expected, not 1e999"},
		{name: "RELEVANCE_CUTOFF", value: "", refused: "a ratio from 0 to 1: 0.5 for 50 % is expected, not nothing"},
		{name: "RELEVANCE_CUTOFF", value: "a\x1b[2Jb", refused: `a ratio from 0 to 1: 0.5 for 50 % is expected, not "a\x1b[2Jb"`},
		{name: "RECENCY_BONUS", value: "20", refused: "a weight from 0 to 1 is expected, not 20"},
		{name: "IMPORTANCE_BOOT", value: "0.4", got: "0.4"},
		{name: "MIN_CHUNKS_TO_KEEP", value: "0", got: "0"},
		{name: "MIN_CHUNKS_TO_KEEP", value: "2.5", refused: "a whole number of chunks from 0 to 100000 is expected, not 2.5"},
		{name: "MIN_CHUNKS_TO_KEEP", value: "-1", refused: "a whole number of chunks from 0 to 100000 is expected, not -1"},
		{name: "RECOVERABLE_FOR_DAYS", value: "0", refused: "a whole number of days from 1 to 36500 is expected, not 0"},
		{name: "SUMMARY_TARGET_TOKENS", value: "99999999999999999999", refused: "a whole number of tokens from 1 to 1000000 is expected, not 99999999999999999999"},
		{name: "LOG_DROPS", value: "Off", got: "false"},
		{name: "LOG_DROPS", value: "0", refused: "true or false is expected, not 0"},
		{name: "SUMMARY_MODEL", value: "minimax/MiniMax-M2.1", got: "minimax/MiniMax-M2.1"},
		{name: "SUMMARY_MODEL", value: "None", got: "none"},
		{name: "LOG_PATH", value: ".forgemind/logs/context", got: "logs/context/"},
		{name: "LOG_PATH", value: "./logs//context/", got: "logs/context/"},
		{name: "COLD_STORAGE_PATH", value: "attic/", refused: "attic/ is not used: the place is cold-storage/ in the tree's own folder"},
		{name: "COLD_STORAGE_PATH", value: "../attic", refused: "../attic is not used: the place is cold-storage/ in the tree's own folder"},
		{name: "COLD_STORAGE_PATH", value: "~/.clawdbot/attic/", refused: "~/.clawdbot/attic/ is not used: the place is cold-storage/ in the tree's own folder"},
		{name: "COLD_STORAGE_PATH", value: "../../attic", refused: "cold-storage/ in the tree's own folder is expected, not ../../attic"},
		{name: "COLD_STORAGE_PATH", value: "../..", refused: "cold-storage/ in the tree's own folder is expected, not ../.."},
		{name: "COLD_STORAGE_PATH", value: "~/.clawdbot/../../x", refused: "cold-storage/ in the tree's own folder is expected, not ~/.clawdbot/../../x"},
		{name: "COLD_STORAGE_PATH", value: "/var/cold-storage/", refused: "cold-storage/ in the tree's own folder is expected, not /var/cold-storage/"},
		{name: "COLD_STORAGE_PATH", value: "~/cold-storage/", refused: "cold-storage/ in the tree's own folder is expected, not ~/cold-storage/"},
		{name: "COLD_STORAGE_PATH", value: `C:\cold`, refused: `cold-storage/ in the tree's own folder is expected, not C:\cold`},
		{name: "COLD_STORAGE_PATH", value: "$HOME/cold-storage", refused: "cold-storage/ in the tree's own folder is expected, not $HOME/cold-storage"},
		{name: "RELEVANCE_CUTOF", value: "0.3", refused: "there is no such knob"},
		{name: "", value: "0.3", refused: "there is no such knob"},
	} {
		k := schema.DefaultKnobs()
		err := k.Set(c.name, c.value)
		if c.refused != "" {
			if err == nil || err.Error() != c.refused {
				t.Errorf("%s: %q: %v, want %q", c.name, c.value, err, c.refused)
			}
			if k != schema.DefaultKnobs() {
				t.Errorf("%s: %q was refused and changed the knobs", c.name, c.value)
			}
			var why *schema.KnobError
			if errors.As(err, &why) && (why.Unused != strings.Contains(c.refused, "not used") || why.Unknown != strings.Contains(c.refused, "no such")) {
				t.Errorf("%s: %q: %+v", c.name, c.value, why)
			}
			continue
		}
		if got, _ := k.Get(c.name); err != nil || got != c.got {
			t.Errorf("%s: %q gives %q, %v, want %q", c.name, c.value, got, err, c.got)
		}
	}
}

func TestContradictions(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"COMPACTION_TRIGGER_PCT=0.4", ""},
		{"CURATION_TRIGGER_PCT=0.51", "CURATION_TRIGGER_PCT 0.51 is above COMPACTION_TRIGGER_PCT 0.5: curation is to come before compaction, and never would"},
		{"MAX_CONTEXT_PCT=0.5", "COMPACTION_TRIGGER_PCT 0.5 is not below MAX_CONTEXT_PCT 0.5: compaction is to come before the hard limit, and never would"},
		{"RELEVANCE_CUTOFF=0.7", ""},
		{"RELEVANCE_CUTOFF=0.71", "RELEVANCE_CUTOFF 0.71 is above KEEP_THRESHOLD 0.7: what scores between them would have to be dropped and kept"},
		{"MEMFAS_WEIGHT=0", ""},
		{"MEMFAS_WEIGHT=0 RECENCY_BONUS=0", "MEMFAS_WEIGHT 0 and RECENCY_BONUS 0: nothing is left that could tell one chunk from another"},
	} {
		k := schema.DefaultKnobs()
		for one := range strings.FieldsSeq(c.set) {
			name, value, _ := strings.Cut(one, "=")
			if err := k.Set(name, value); err != nil {
				t.Fatal(err)
			}
		}
		got := ""
		if found := k.Contradictions(); len(found) > 0 {
			got = found[0].Msg
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.set, got, c.want)
		}
	}
}

// Whatever a file contains, the resulting values have no contradiction, and only knobs
// that were part of one have their default.
func TestConsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var k schema.Knobs
		ratio := rapid.SampledFrom([]float64{0, 0.01, 0.3, 0.4, 0.45, 0.5, 0.55, 0.7, 0.85, 0.9, 1})
		for _, field := range []*float64{&k.CompactionTrigger, &k.MaxContext, &k.CurationTrigger, &k.RelevanceCutoff, &k.KeepThreshold, &k.RecencyBonus, &k.MemfasWeight} {
			*field = ratio.Draw(t, "ratio")
		}
		mended, found := k.Consistent()
		if left := mended.Contradictions(); left != nil {
			t.Fatalf("%+v leaves %v", k, left)
		}
		named := map[string]bool{}
		for _, c := range found {
			for _, name := range c.Names {
				named[name] = true
			}
		}
		for _, knob := range schema.AllKnobs() {
			was, _ := k.Get(knob.Name)
			is, _ := mended.Get(knob.Name)
			if named[knob.Name] && is != knob.Default() || !named[knob.Name] && is != was {
				t.Fatalf("%s was %s, is %s; named: %v", knob.Name, was, is, named)
			}
		}
	})
}

func TestReadKnobs(t *testing.T) {
	set := func(name, value string) schema.Setting { return schema.Setting{Name: name, Value: value} }
	settings := []schema.Setting{
		set("RELEVANCE_CUTOFF", "0.4"),
		set("RELEVANCE_CUTTOFF", "0.2"),
		set("IMPORTANCE_BOOT", "0.3"),
		set("IMPORTANCE_BONUS", "0.30"),
		set("RELEVANCE_CUTOFF", "0.4"),
		set("MAX_CONTEXT_PCT", "85"),
		{Name: "KEEP_THRESHOLD", Value: "0.9", Quoted: true},
		{Name: "LOG_DROPS", Nothing: true},
		{Name: "LOG_RECOVERY", Complex: true},
		{Name: "SUMMARY_MODEL", Nothing: true},
		set("COLD_STORAGE_PATH", "attic/"),
	}
	k, said, faults := schema.DefaultKnobs().ReadKnobs(settings)
	want := schema.DefaultKnobs()
	want.RelevanceCutoff, want.ImportanceBonus = 0.4, 0.3
	if k != want {
		t.Errorf("%+v", k)
	}
	if !reflect.DeepEqual(said, map[string]int{"RELEVANCE_CUTOFF": 0, "IMPORTANCE_BONUS": 2, "SUMMARY_MODEL": 9}) {
		t.Error(said)
	}
	var got []string
	for _, f := range faults {
		got = append(got, f.Why+": "+f.Msg)
	}
	if diff := strings.Join(got, "\n"); diff != `unknown: unknown knob RELEVANCE_CUTTOFF
twice: RELEVANCE_CUTOFF is there twice; the first holds
value: MAX_CONTEXT_PCT: a ratio from 0.01 to 1: 0.85 for 85 % is expected, not 85
value: KEEP_THRESHOLD: a ratio from 0 to 1: 0.5 for 50 % is expected, not a text in quotes
value: LOG_DROPS: true or false is expected, not nothing
value: LOG_RECOVERY: true or false is expected, not a list, a mapping or a reference
unused: COLD_STORAGE_PATH: attic/ is not used: the place is cold-storage/ in the tree's own folder` {
		t.Error(diff)
	}
	_, _, faults = schema.DefaultKnobs().ReadKnobs([]schema.Setting{set("IMPORTANCE_BOOT", "0.3"), set("IMPORTANCE_BONUS", "0.4")})
	if len(faults) != 1 || faults[0].Msg != "IMPORTANCE_BOOT and IMPORTANCE_BONUS are one knob, with two values; the first holds" || faults[0].At != 1 {
		t.Error(faults)
	}
}
