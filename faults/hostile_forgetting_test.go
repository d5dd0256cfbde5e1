//go:build linux

package faults_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// forgetters are the commands that context-config.yaml, cold storage and the logs
// decide about. Each trap meets the first, a third of those that it concerns, and
// a twelfth of the others.
var forgetters = [][]string{
	{"validate"}, {"health"}, {"config", "show"}, {"config", "set", "RELEVANCE_CUTOFF", "0.2"}, {"compact", "--now", "--strategy", "relevance", "--budget", "700"},
	{"compact", "--now", "--prompt", "the hinge of the oak gate"}, {"message", "add", asking, "--agent", "user"}, {"recover", "--query", "the plumb and the kiln"}, {"tune"}, {"tune", "--format", "svg"},
	{"tune", "--replay", "--set", "RELEVANCE_CUTOFF=0.2"}, {"drops"}, {"cold-storage", "list"}, {"cold-storage", "verify"}, {"cold-storage", "expire"},
	{"uncompact"}, {"status"}, {"reset", "--name", "tree"}, {"doctor"}, {"drops", "--explain", "CHUNK"}, {"cold-storage", "show", "CHUNK"}, {"recover", "--chunk-id", "CHUNK"},
}

const knobsFile = ".forgemind/context-config.yaml"

// knobTraps are what strangers put into context-config.yaml.
func knobTraps() (all []keptTrap) {
	all = family{"knobs", []string{knobsFile}, "RELEVANCE_CUTOFF: ", shrug}.traps(knobsFile)
	add := func(what string, kind damage, lay func(path, out string) error) {
		all = append(all, keptTrap{trap: trap{what, knobsFile, lay, kind}, about: "knobs"})
	}
	every := func(value string) string {
		var b strings.Builder
		for _, name := range strings.Fields("COMPACTION_TRIGGER_PCT MAX_CONTEXT_PCT RELEVANCE_CUTOFF KEEP_THRESHOLD RECENCY_BONUS IMPORTANCE_BONUS MIN_CHUNKS_TO_KEEP MEMFAS_MIN_SCORE MEMFAS_WEIGHT CURATION_TRIGGER_PCT " +
			"COLD_STORAGE_ENABLED COLD_STORAGE_PATH RECOVERABLE_FOR_DAYS SUMMARIZE_MEDIUM_CHUNKS SUMMARY_TARGET_TOKENS SUMMARY_MODEL LOG_PATH LOG_COMPACTION LOG_CURATION LOG_DROPS LOG_RECOVERY") {
			b.WriteString(name + ": " + value + "\n")
		}
		return b.String()
	}
	for _, value := range []string{"-1", "2", "1e999", ".nan", "99999999999999999999", "[]", `"\e[2J\e]0;x\a"`, "\x1b[2J", "\u202e0.5", "../../outside/local/", "/etc/passwd", strings.Repeat("9", 100_000)} {
		add(fmt.Sprintf("every knob %.20q", value), flawed, text(every(value)))
	}
	for _, value := range []string{"0", "1", "false", "", "~"} {
		add("every knob "+value, shrug, text(every(value)))
	}
	for what, knobs := range map[string]string{
		"above its keep threshold": "RELEVANCE_CUTOFF: 0.9\nKEEP_THRESHOLD: 0.1\n", "curation after the hard limit": "CURATION_TRIGGER_PCT: 0.99\nCOMPACTION_TRIGGER_PCT: 0.98\nMAX_CONTEXT_PCT: 0.01\n",
		"a knob twice": "RELEVANCE_CUTOFF: 0.3\nRELEVANCE_CUTOFF: 0.9\n", "a reference": "RELEVANCE_CUTOFF: &a 0.3\nKEEP_THRESHOLD: *a\n", "two documents": "RELEVANCE_CUTOFF: 0.2\n---\nRELEVANCE_CUTOFF: 0.3\n", "a list": "- RELEVANCE_CUTOFF: 0.3\n",
	} {
		add(what, flawed, text(knobs))
	}
	for what, knobs := range map[string]string{
		"an unknown knob": "RELEVANCE_CUTOF: 0.3\n", "an unknown knob of escapes": "\"\\e[2J\": 1\n\u202ex: 2\n", "a laughing file": "a: &a [x,x,x,x,x,x,x,x,x]\n" + laughing(),
		"a mark and returns": "\ufeffRELEVANCE_CUTOFF: 0.2\r\nKEEP_THRESHOLD: 0.8\r\n", "nothing": "", "all that a knob can be": "MIN_CHUNKS_TO_KEEP: 100000\nSUMMARY_TARGET_TOKENS: 1\nRECOVERABLE_FOR_DAYS: 0\nRELEVANCE_CUTOFF: 1\nKEEP_THRESHOLD: 1\n",
		"nothing kept": "MIN_CHUNKS_TO_KEEP: 0\nRELEVANCE_CUTOFF: 1\nKEEP_THRESHOLD: 1\nRECENCY_BONUS: 0\nIMPORTANCE_BONUS: 0\n", "no logs": "LOG_DROPS: false\nLOG_COMPACTION: false\nLOG_RECOVERY: false\n", "code": "!!python/object/apply:os.system [\"touch ../pwned\"]\n",
	} {
		add(what, shrug, text(knobs))
	}
	add("7 MiB of comments", shrug, long("RELEVANCE_CUTOFF: 0.3\n", "# x\n", 7<<18, ""))
	add("8 MiB of one knob", flawed, long("", "RELEVANCE_CUTOFF: 0.3\n", 8<<20/22, ""))
	add("8 MiB of unknown knobs", shrug, long("", "X: 0.3\n", 8<<20/7, ""))
	add("8 MiB of a value", flawed, long("RELEVANCE_CUTOFF: ", "9", 8<<20, "\n"))
	add("blocks in blocks", shrug, text(stairs(3000)))
	add("a hard link", flawed, func(path, out string) error { return os.Link(filepath.Join(out, "secret.txt"), path) })
	return all
}

// coldTraps are what happens to cold storage by hand; the file is that of the
// compaction.
func coldTraps(t *testing.T, dir string) (all []keptTrap) {
	t.Helper()
	found, _ := filepath.Glob(filepath.Join(dir, ".forgemind/cold-storage/*/*.jsonl"))
	if len(found) != 1 {
		t.Fatalf("cold storage: %v", found)
	}
	name, _ := filepath.Rel(dir, found[0])
	src, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	add := func(what, name string, lay func(path, out string) error) {
		all = append(all, keptTrap{trap: trap{what, name, lay, shrug}, about: "cold"})
	}
	old := string(src)
	lines := strings.SplitAfter(strings.TrimSuffix(old, "\n"), "\n")
	edit := func(what, from, to string, n int) {
		edited := strings.Replace(old, from, to, n)
		if edited == old {
			t.Fatalf("%s: nothing to edit", what)
		}
		add(what, name, text(edited))
	}
	edit("the content", `"content":"Paragraph 0`, `"content":"Paragraph zero`, 1)
	edit("escapes in the content", `"content":"Paragraph 0`, `"content":"\u001b]0;x\u0007\u001b[2J\u202e`, -1)
	edit("the message", `"content":"Paragraph 0 of 6`, `"content":"Paragraph 0 of 7`, 2)
	edit("the message's id", `"msg_id":"talk-`, `"msg_id":"\u001b[2J../../`, -1)
	edit("the ids", `{"chunk_id":"chunk-`, `{"chunk_id":"../../chunk-`, -1)
	edit("one id for all", `{"chunk_id":"`, `{"chunk_id":"chunk-000000000000","was":"`, -1)
	edit("an id twice in an object", `{"chunk_id":"`, `{"chunk_id":"chunk-000000000000","chunk_id":"`, 1)
	edit("huge parts", `"parts":`, `"parts":9007199254740991,"were":`, -1)
	edit("parts below none", `"part":`, `"part":-9007199254740991,"was":`, -1)
	edit("lines far away", `"line":`, `"line":9007199254740991,"was":`, -1)
	edit("a score of 1e999", `"relevance_score":`, `"relevance_score":1e999,"was":`, -1)
	edit("a score below none", `"relevance_score":`, `"relevance_score":-5,"was":`, -1)
	edit("tokens without end", `"tokens":`, `"tokens":1e300,"was":`, -1)
	for _, until := range []string{"9999999-01-01T00:00:00Z", "9999-12-31T23:59:60Z", "0000-00-00T00:00:00Z", "-292277022399-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "\u001b[2J", ""} {
		edit(fmt.Sprintf("until %q", until), `"recoverable_until":`, filled(`"recoverable_until":@,"was":`, until), -1)
		edit(fmt.Sprintf("said at %q", until), `"timestamp":`, filled(`"timestamp":@,"was":`, until), -1)
	}
	add("half of the lines", name, text(strings.Join(lines[:len(lines)/2], "")))
	add("no first parts", name, text(strings.Join(slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.Contains(l, `"part":1,`) }), "")))
	add("lines twice", name, text(old+old))
	add("lines turned around", name, text(func() string {
		l := slices.Clone(lines)
		l[len(l)-1] += "\n"
		slices.Reverse(l)
		return strings.Join(l, "")
	}()))
	add("a torn tail", name, text(old[:len(old)-100]))
	add("a mark and returns", name, text("\ufeff"+strings.ReplaceAll(old, "\n", "\r\n")))
	add("a terabyte", name, sparse(1<<40))
	folder := filepath.Dir(name)
	add("nothing", folder, func(path, _ string) error { return nil })
	add("nothing", ".forgemind/cold-storage", func(path, _ string) error { return nil })
	for _, where := range []string{folder, ".forgemind/cold-storage"} {
		add("a file", where, text("x"))
		add("a FIFO", where, fifo)
		add("a link out", where, linkTo("local"))
	}
	add("a FIFO beside it", filepath.Join(folder, "compaction-0000.jsonl"), fifo)
	add("a directory beside it", filepath.Join(folder, "compaction-0000.jsonl"), func(path, _ string) error { return os.Mkdir(path, 0o755) })
	add("two thousand beside it", filepath.Join(folder, "compaction-0.jsonl"), func(path, _ string) error {
		for i := range 2000 {
			line := strings.Replace(lines[0], `{"chunk_id":"chunk-`, fmt.Sprintf(`{"chunk_id":"chunk-%04d`, i), 1)
			if err := os.WriteFile(strings.Replace(path, "-0.", fmt.Sprintf("-%d.", i), 1), []byte(line), 0o644); err != nil {
				return err
			}
		}
		return nil
	})
	return all
}

// logTraps are what stands where logs are to be.
func logTraps(t *testing.T, dir string) (all []keptTrap) {
	t.Helper()
	for log, head := range map[string]string{
		"drops":          `{"timestamp":"2026-11-20T09:00:00Z","event":"chunk_dropped","chunk_id":@,"session_id":@,"reason":@,"cold_storage_path":@,"config_used":@,"threshold_used":0.3,"tokens":5,"relevance_score":`,
		"compaction":     `{"timestamp":"2026-11-20T09:00:00Z","event":"compaction_triggered","trigger":@,"config_used":@,"tokens_after":5,"chunks_dropped":3,"tokens_before":`,
		"curation":       `{"timestamp":"2026-11-20T09:00:00Z","event":"memfas_curation","query":@,"hits_found":1,"drops_triggered":2,"token_savings":`,
		"recovery":       `{"timestamp":"2026-11-20T09:00:00Z","event":"chunk_recovered","chunk_id":@,"session_id":@,"prompt":@,"trigger":@,"score":`,
		"context-health": `{"timestamp":"2026-11-20T09:00:00Z","current_tokens":5,"limit":10,"pct_used":`,
	} {
		name := ".forgemind/logs/context/" + log + ".jsonl"
		f := family{"logs", []string{name}, filled(head, "x"), shrug}
		all = append(all, f.traps(name)...)
		add := func(what string, lay func(path, out string) error) {
			all = append(all, keptTrap{trap: trap{what, name, lay, shrug}, about: "logs"})
		}
		for _, w := range evil {
			add(fmt.Sprintf("the words %.20q", w), text(filled(head, w)+"0.5}\n"))
		}
		for _, v := range []string{`"0.5"`, "1e999", "-1", "1e308", "9007199254740991", "null", "5e-324", "[0.5]"} {
			add("the number "+v, text(filled(head, "x")+v+"}\n"+filled(head, "x")+v+"}\n"+filled(head, "x")+"0.5}\n"))
		}
		for _, at := range []string{"9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "2026-11-20T09:00:00+23:59", "2026-11-20", "x"} {
			add("the time "+at, text(strings.Replace(filled(head, "x"), "2026-11-20T09:00:00Z", at, 1)+"0.5}\n"+filled(head, "x")+"0.5}\n"))
		}
		add("a hard link", func(path, out string) error { return os.Link(filepath.Join(out, "secret.jsonl"), path) })
	}
	for _, folder := range []string{".forgemind/logs", ".forgemind/logs/context"} {
		for what, lay := range map[string]func(path, out string) error{"a file": text("x"), "a FIFO": fifo, "a link out": linkTo("local"), "a folder that nobody may write to": func(path, _ string) error { return os.Mkdir(path, 0o500) }} {
			all = append(all, keptTrap{trap: trap{what, folder, lay, shrug}, about: "logs"})
		}
	}
	head := `{"timestamp":"2026-11-20T09:00:00Z","event":"chunk_dropped","session_id":"s","reason":"low_relevance","threshold_used":0.3,"tokens":5,"relevance_score":0.1,"chunk_id":"chunk-`
	all = append(all, keptTrap{trap: trap{"100 MB", ".forgemind/logs/context/drops.jsonl", long("", head+"abcdefabcdef\"}\n", 100_000_000/len(head), ""), shrug}, about: "logs"})
	return all
}

// meetsForgetters are the commands that are run on a trap: those of its kind, and
// of the others every so-manieth.
func (tr keptTrap) meetsForgetters(chunk string) (all [][]string) {
	of := map[string]string{"knobs": "config compact message", "cold": "cold-storage uncompact recover", "logs": "tune drops"}
	for i, args := range forgetters {
		mine := strings.Contains(of[tr.about], args[0])
		if i < 1 || mine && (tr.n+i)%3 == 0 || !mine && (tr.n+i)%12 == 0 {
			args = slices.Clone(args)
			for k, arg := range args {
				if arg == "CHUNK" {
					args[k] = chunk
				}
			}
			all = append(all, args)
		}
	}
	return all
}

// Whatever stands in context-config.yaml, in cold storage and in the logs: a
// command says what is wrong, with the right exit code, and soon; what was said
// and was not touched is still there.
func TestHostileForgetting(t *testing.T) {
	base := answering(t)
	found, _ := filepath.Glob(filepath.Join(base, ".forgemind/cold-storage/*/*.jsonl"))
	src, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	_, chunk, _ := strings.Cut(string(src), `"chunk_id":"`)
	chunk, _, _ = strings.Cut(chunk, `"`)
	before := holdings(t, base)
	traps := slices.Concat(knobTraps(), coldTraps(t, base), logTraps(t, base))
	for i := range traps {
		traps[i].n = i
	}
	var mu sync.Mutex
	runs, slow := 0, map[time.Duration]string{}
	inTwo(traps, func(tr keptTrap) {
		dir, _ := tr.set(t, base)
		defer os.RemoveAll(filepath.Dir(dir))
		wrong := holdingsOf(t, dir) // what the trap left of them
		for _, args := range tr.meetsForgetters(chunk) {
			again, out := tr.set(t, base)
			r := tr.visitIn(t, again, out, args)
			how := fmt.Sprintf("%s at %.80q: %q", tr.what, tr.name, args)
			if args[0] == "tune" && slices.Contains(args, "svg") && r.code == 0 {
				for d := xml.NewDecoder(strings.NewReader(r.out)); ; {
					if _, err := d.Token(); err == io.EOF {
						break
					} else if err != nil {
						t.Errorf("%s: no XML: %v", how, err)
						break
					}
				}
			}
			now := holdingsOf(t, again)
			for line := range maps.Keys(before.talk) {
				taken := args[0] == "uncompact" && strings.Contains(line, `"kind":"summary"`) // with what it stood for
				if wrong.all(line) > 0 && now.all(line) == 0 && !taken {
					t.Errorf("%s: lost: %.200s\n%v", how, line, r)
				}
			}
			for line := range before.cold {
				if wrong.all(line) > 0 && now.all(line) == 0 {
					t.Errorf("%s: lost from cold storage: %.200s\n%v", how, line, r)
				}
			}
			os.RemoveAll(filepath.Dir(again))
			mu.Lock()
			runs++
			if r.took > time.Second {
				slow[r.took] = fmt.Sprintf("%s, %d MiB", how, r.rss)
			}
			mu.Unlock()
		}
	})
	t.Logf("%d traps, %d commands run on them, %d longer than a second", len(traps), runs, len(slow))
	for i, took := range slices.Backward(slices.Sorted(maps.Keys(slow))) {
		if len(slow)-i <= 8 {
			t.Logf("  %.1f s: %s", took.Seconds(), slow[took])
		}
	}
}

func (h holding) all(line string) int { return h.talk[line] + h.cold[line] + h.trash[line] }

// holdingsOf is holdings of a tree in which anything may stand.
func holdingsOf(t *testing.T, dir string) holding {
	all := holding{map[string]int{}, map[string]int{}, map[string]int{}}
	take := func(in map[string]int, pattern string) {
		names, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, name := range names {
			if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Size() > 64<<20 {
				continue
			}
			src, _ := os.ReadFile(name)
			all.take(in, string(src))
		}
	}
	take(all.talk, talk)
	take(all.cold, ".forgemind/cold-storage/*/*")
	take(all.trash, ".forgemind/.local/trash/*")
	return all
}

// A prompt can be anything, and so can a budget: what there is to say is said, and
// nothing is lost.
func TestHostilePrompts(t *testing.T) {
	base := longTalk(t)
	stood := holdings(t, base).talk
	prompts := map[string]string{
		"nothing": "", "blank": " \t\n", "half a megabyte of one word": strings.Repeat("x", 100_000), "a hundred thousand bytes of words": strings.Repeat("kiln plumb ", 11_000), "stop words": "the and of which is it that", "CJK": "石灰砂漿牆壁",
		"emoji": "🧱🧱👩‍👩‍👧‍👦", "not UTF-8": "\xff\xfe\x80kiln", "escapes": "\x1b[2J\x1b]0;x\x07kiln", "marks": strings.Repeat("\u0301", 5000), "directions": "\u202ekiln", "an option": "--now", "a minus": "-",
	}
	var cases [][]string
	for _, what := range slices.Sorted(maps.Keys(prompts)) {
		p := prompts[what]
		cases = append(cases, []string{"compact", "--now", "--budget", "700", "--prompt", p}, []string{"recover", "--query", p}, []string{"assemble", "--query", p, "--format", "json"}, []string{"message", "add", "--agent", "user", "--", p})
	}
	for _, budget := range []string{"1", "2", "17", "100", "0", "-1", "9223372036854775807", "99999999999999999999", "1e3", "x"} {
		cases = append(cases, []string{"compact", "--now", "--strategy", "relevance", "--format", "json", "--budget", budget})
	}
	inTwo(cases, func(args []string) {
		dir := copyTree(t, base)
		defer os.RemoveAll(filepath.Dir(dir))
		r := forgemind(t, dir, args...)
		how := fmt.Sprintf("%.120q: %v", args, cut(r.out+r.err))
		if r.code < 0 || r.code > 3 {
			t.Errorf("%s: exit %d", how, r.code)
		}
		if bad := control.FindString(r.out + r.err); bad != "" && args[0] != "assemble" && !(args[0] == "recover") {
			t.Errorf("%s: a terminal gets %q", how, bad)
		}
		if r.code != 0 && strings.TrimSpace(r.err+r.out) == "" {
			t.Errorf("%s: exit %d without a word", how, r.code)
		}
		var plan struct {
			After *int `json:"tokens_after"`
		}
		budget, err := strconv.Atoi(args[len(args)-1])
		if err == nil && budget > 0 && args[0] == "compact" && (json.Unmarshal([]byte(r.out), &plan) != nil || plan.After == nil || *plan.After > budget) {
			t.Errorf("%s: it is above the budget", how)
		}
		if r.took > 2*time.Second || r.rss > 400 && r.rss > own() {
			t.Logf("%s: it took %v and %d MiB", how, r.took, r.rss)
		}
		now := holdingsOf(t, dir)
		for line := range stood {
			if now.talk[line]+now.cold[line] != 1 {
				t.Errorf("%s: it stands %d times: %.200s", how, now.talk[line]+now.cold[line], line)
			}
		}
	})
	// Pins alone that are above the budget: nothing is done.
	pinned := copyTree(t, base)
	succeed(t, pinned, "message", "add", strings.Repeat("Never fell the pear tree. ", 300), "--agent", "user", "--priority", "critical")
	said := holdings(t, pinned)
	if r := forgemind(t, pinned, "compact", "--now", "--strategy", "relevance", "--budget", "100"); r.code != 1 || !strings.Contains(r.out+r.err, "pin") || !maps.Equal(holdings(t, pinned).talk, said.talk) {
		t.Errorf("pins above the budget: %v", r)
	}
	// A megabyte does not go through arguments.
	for _, word := range []string{"kiln plumb ", "x", "石", "🧱", "((((", "\n\n"} {
		dir := copyTree(t, base)
		cmd := command(dir, "message", "add", "-", "--agent", "user")
		cmd.Stdin = strings.NewReader(strings.Repeat(word, 1<<20/len(word)))
		if r := execute(t, cmd, hang); r.code > 2 || r.code == 0 == (strings.TrimSpace(word) == "") {
			t.Errorf("a megabyte of %q: %v", word, r)
		}
		for _, args := range [][]string{{"compact", "--now", "--budget", "700", "--strategy", "relevance"}, {"uncompact"}} {
			if r := forgemind(t, dir, args...); r.code > 1 || r.rss > 400 && r.rss > own() {
				t.Errorf("after a megabyte of %q: %d MiB: %v", word, r.rss, r)
			} else if r.took > 2*time.Second {
				t.Logf("after a megabyte of %q: %v: %q", word, r.took, args)
			}
		}
		os.RemoveAll(filepath.Dir(dir))
	}
}

// A time zone that is none of any changes nothing of what is kept.
func TestOddTimeZones(t *testing.T) {
	base := compacted(t)
	for _, zone := range []string{"", "Asia/Kathmandu", "Nowhere/At_All", ":/etc/passwd", "../../etc/passwd", "UTC+99", strings.Repeat("x", 10_000), "\x1b[2J"} {
		dir := copyTree(t, base)
		for _, args := range [][]string{{"health"}, {"message", "add", "one more", "--agent", "user"}, {"compact", "--now", "--strategy", "relevance", "--budget", "300"}, {"tune", "--since", "7d"}, {"cold-storage", "expire"}, {"cold-storage", "verify"}, {"uncompact"}, {"uncompact"}, {"validate"}} {
			cmd := command(dir, args...)
			cmd.Env = append(os.Environ(), "TZ="+zone)
			if r := execute(t, cmd, hang); r.code != 0 && !(args[0] == "validate" && r.code == 1) {
				t.Errorf("TZ=%.40q: %v", zone, r)
			}
		}
		os.RemoveAll(filepath.Dir(dir))
	}
}

// What nobody may read or write is named with the cause, and nothing is lost for
// it.
func TestForgettingWithoutPermission(t *testing.T) {
	needs(t, "setpriv")
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: only root can become somebody else")
	}
	base := answering(t)
	succeed(t, base, "recover", "--query", "the plumb and the kiln")
	before := holdings(t, base)
	type denial struct {
		name string
		mode os.FileMode
	}
	var denials []denial
	for _, name := range []string{".forgemind/cold-storage", ".forgemind/cold-storage/*", ".forgemind/cold-storage/*/*.jsonl", ".forgemind/logs/context", ".forgemind/logs/context/*", knobsFile} {
		denials = append(denials, denial{name, 0}, denial{name, 0o555})
	}
	inTwo(denials, func(d denial) {
		for _, args := range [][]string{
			{"compact", "--now", "--strategy", "relevance", "--budget", "300"}, {"uncompact"}, {"recover", "--query", "the plumb and the kiln"}, {"cold-storage", "expire"}, {"cold-storage", "verify"}, {"tune"}, {"drops"},
			{"health"}, {"config", "set", "RELEVANCE_CUTOFF", "0.2"}, {"message", "add", asking, "--agent", "user"}, {"reset", "--name", "tree"}, {"validate"},
		} {
			dir := copyTree(t, base)
			filepath.WalkDir(dir, func(path string, _ os.DirEntry, _ error) error { return os.Lchown(path, 65534, 65534) })
			denied, _ := filepath.Glob(filepath.Join(dir, d.name))
			if len(denied) == 0 {
				t.Errorf("%s: not there", d.name)
			}
			for _, path := range denied {
				if err := os.Chmod(path, d.mode); err != nil {
					t.Error(err)
				}
			}
			cmd := exec.Command("setpriv", append([]string{"--reuid=65534", "--regid=65534", "--clear-groups", program}, args...)...)
			cmd.Dir = dir
			r := execute(t, cmd, hang)
			how := fmt.Sprintf("%s, mode %o: %v", d.name, d.mode, r)
			switch {
			case r.code != 0 && r.code != 1 && r.code != 3, r.code == 1 && !slices.Contains([]string{"validate", "cold-storage", "uncompact"}, args[0]):
				t.Errorf("%s  not the right exit code", how)
			case r.code == 3 && (!strings.Contains(r.err, "permission denied") || !strings.Contains(r.err, ".forgemind")):
				t.Errorf("%s  no path or no cause", how)
			}
			now := holdingsOf(t, dir)
			for _, in := range []map[string]int{before.talk, before.cold} {
				for line := range in {
					if now.all(line) == 0 && !(args[0] == "uncompact" && strings.Contains(line, `"kind":"summary"`)) {
						t.Errorf("%s  lost: %.200s", how, line)
					}
				}
			}
			os.RemoveAll(filepath.Dir(dir))
		}
	})
}
