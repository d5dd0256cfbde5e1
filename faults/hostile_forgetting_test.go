//go:build linux

package faults_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const knobsFile = ".forgemind/context-config.yaml"

var chunkID = regexp.MustCompile(`"chunk_id":"([^"]*)"`)

// Whatever stands in context-config.yaml, in cold storage and in the logs: a
// command says what is wrong, with the right exit code, and soon; what was said
// and was not touched is still there.
func TestHostileForgetting(t *testing.T) {
	base := answering(t)
	suite{
		base: base, hazards: slices.Concat(knobHazards(), coldHazards(t, base), logHazards()), mine: 3, others: 12,
		checks: append([]check{keepsWhatWasSaid(soundHoldings(t, base)), after(drawsXML)}, commandChecks...),
		invocations: invocations(`
all: validate
any: health
knobs: config show; config set RELEVANCE_CUTOFF 0.2
knobs cold: compact --now --strategy relevance --budget 700; compact --now --prompt "the hinge of the oak gate"
knobs: message add ASKING --agent user
cold: recover --query "the plumb and the kiln"
logs: tune; tune --format svg; tune --replay --set RELEVANCE_CUTOFF=0.2; drops
cold: cold-storage list; cold-storage verify; cold-storage expire; uncompact
any: status; reset --name tree; doctor
logs: drops --explain CHUNK
cold: cold-storage show CHUNK; recover --chunk-id CHUNK
`, "ASKING", asking, "CHUNK", chunkID.FindStringSubmatch(read(t, base, oneOf(t, base, ".forgemind/cold-storage/*/*.jsonl")))[1]),
	}.run(t)
}

// drawsXML checks that a drawing is well-formed.
func drawsXML(s *setup, r run) {
	if r.code != 0 || !slices.Contains(s.invocation.args, "svg") {
		return
	}
	d, err := xml.NewDecoder(strings.NewReader(r.out)), error(nil)
	for err == nil {
		_, err = d.Token()
	}
	s.must(r, err == io.EOF, "no XML: %v", err)
}

// keepsWhatWasSaid checks that each line that was said before the hazard, and is
// left by it, is still somewhere.
func keepsWhatWasSaid(before holding) check {
	return func(s *setup) func(run) {
		left, _ := holdings(s.dir)
		return func(r run) {
			now, _ := holdings(s.dir)
			lost := func(line string) bool { return left.all(line) > 0 && now.all(line) == 0 }
			for line := range before.talk {
				taken := s.invocation.args[0] == "uncompact" && strings.Contains(line, `"kind":"summary"`) // with what it stood for
				s.must(r, taken || !lost(line), "lost: %.200s", line)
			}
			for line := range before.cold {
				s.must(r, !lost(line), "lost from cold storage: %.200s", line)
			}
		}
	}
}

// A time zone that is none of any changes nothing of what is kept.
func TestOddTimeZones(t *testing.T) {
	s := suite{base: compacted(t), act: inTimeZone, checks: []check{after(succeedsOrFinds)}}
	steps := invocations(`all: health; message add "one more" --agent user; compact --now --strategy relevance --budget 300; tune --since 7d; cold-storage expire; cold-storage verify; uncompact; uncompact; validate`)
	first := steps[0]
	first.then = steps[1:]
	s.invocations = []invocation{first}
	for _, zone := range []string{"", "Asia/Kathmandu", "Nowhere/At_All", ":/etc/passwd", "../../etc/passwd", "UTC+99", strings.Repeat("x", 10_000), "\x1b[2J"} {
		s.hazards.add("", zone, "", nothing)
	}
	s.run(t)
}

// inTimeZone runs the command in the time zone that the hazard is about.
func inTimeZone(s *setup) run {
	s.cmd.Env = append(os.Environ(), "TZ="+s.hazard.what)
	return execute(s.T, s.cmd, hang)
}

func succeedsOrFinds(s *setup, r run) {
	s.must(r, r.code == 0 || r.code == 1 && s.invocation.args[0] == "validate", "it fails")
}

// knobHazards returns what strangers put into context-config.yaml.
func knobHazards() (hs hazards) {
	add := func(what string, harm harm, put content) { hs.addHarm(harm, "knobs", what, knobsFile, put) }
	hs.addBad(tolerated, "knobs", knobsFile, "RELEVANCE_CUTOFF: ")
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
		add("every knob "+value, tolerated, text(every(value)))
	}
	add("above its keep threshold", flawed, text("RELEVANCE_CUTOFF: 0.9\nKEEP_THRESHOLD: 0.1\n"))
	add("curation after the hard limit", flawed, text("CURATION_TRIGGER_PCT: 0.99\nCOMPACTION_TRIGGER_PCT: 0.98\nMAX_CONTEXT_PCT: 0.01\n"))
	add("a knob twice", flawed, text("RELEVANCE_CUTOFF: 0.3\nRELEVANCE_CUTOFF: 0.9\n"))
	add("a reference", flawed, text("RELEVANCE_CUTOFF: &a 0.3\nKEEP_THRESHOLD: *a\n"))
	add("two documents", flawed, text("RELEVANCE_CUTOFF: 0.2\n---\nRELEVANCE_CUTOFF: 0.3\n"))
	add("a list", flawed, text("- RELEVANCE_CUTOFF: 0.3\n"))
	add("an unknown knob", tolerated, text("RELEVANCE_CUTOF: 0.3\n"))
	add("an unknown knob of escapes", tolerated, text("\"\\e[2J\": 1\n\u202ex: 2\n"))
	add("a laughing file", tolerated, text(aliases()))
	add("a mark and returns", tolerated, text("\ufeffRELEVANCE_CUTOFF: 0.2\r\nKEEP_THRESHOLD: 0.8\r\n"))
	add("nothing", tolerated, text(""))
	add("all that a knob can be", tolerated, text("MIN_CHUNKS_TO_KEEP: 100000\nSUMMARY_TARGET_TOKENS: 1\nRECOVERABLE_FOR_DAYS: 0\nRELEVANCE_CUTOFF: 1\nKEEP_THRESHOLD: 1\n"))
	add("nothing kept", tolerated, text("MIN_CHUNKS_TO_KEEP: 0\nRELEVANCE_CUTOFF: 1\nKEEP_THRESHOLD: 1\nRECENCY_BONUS: 0\nIMPORTANCE_BONUS: 0\n"))
	add("no logs", tolerated, text("LOG_DROPS: false\nLOG_COMPACTION: false\nLOG_RECOVERY: false\n"))
	add("code", tolerated, text("!!python/object/apply:os.system [\"touch ../pwned\"]\n"))
	add("7 MiB of comments", tolerated, long("RELEVANCE_CUTOFF: 0.3\n", "# x\n", 7<<18, ""))
	add("8 MiB of one knob", flawed, long("", "RELEVANCE_CUTOFF: 0.3\n", 8<<20/22, ""))
	add("8 MiB of unknown knobs", tolerated, long("", "X: 0.3\n", 8<<20/7, ""))
	add("8 MiB of a value", flawed, long("RELEVANCE_CUTOFF: ", "9", 8<<20, "\n"))
	add("blocks in blocks", tolerated, text(blocks(3000)))
	add("a hard link", flawed, hardLink("secret.txt"))
	return hs
}

// coldHazards returns what happens to cold storage by hand; the file is that of the
// compaction.
func coldHazards(t *testing.T, dir string) (hs hazards) {
	t.Helper()
	add := func(what, place string, put content) { hs.add("cold", what, place, put) }
	name := oneOf(t, dir, ".forgemind/cold-storage/*/*.jsonl")
	old := read(t, dir, name)
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
		edit(fmt.Sprintf("until %q", until), `"recoverable_until":`, fillIn(`"recoverable_until":@,"was":`, until), -1)
		edit(fmt.Sprintf("said at %q", until), `"timestamp":`, fillIn(`"timestamp":@,"was":`, until), -1)
	}
	add("half of the lines", name, text(strings.Join(lines[:len(lines)/2], "")))
	add("no first parts", name, text(strings.Join(slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.Contains(l, `"part":1,`) }), "")))
	add("lines twice", name, text(old+old))
	reversed := slices.Clone(lines)
	reversed[len(reversed)-1] += "\n"
	slices.Reverse(reversed)
	add("lines turned around", name, text(strings.Join(reversed, "")))
	add("a torn tail", name, text(old[:len(old)-100]))
	add("a mark and returns", name, text("\ufeff"+strings.ReplaceAll(old, "\n", "\r\n")))
	add("a terabyte", name, sparse(1<<40))
	folder := filepath.Dir(name)
	add("nothing", folder, nothing)
	add("nothing", ".forgemind/cold-storage", nothing)
	for _, where := range []string{folder, ".forgemind/cold-storage"} {
		add("a file", where, text("x"))
		add("a FIFO", where, fifo)
		add("a link out", where, linkTo("local"))
	}
	add("a FIFO beside it", filepath.Join(folder, "compaction-0000.jsonl"), fifo)
	add("a directory beside it", filepath.Join(folder, "compaction-0000.jsonl"), directory)
	add("two thousand beside it", filepath.Join(folder, "compaction-0.jsonl"), many(2000, func(i int) (string, string) {
		return fmt.Sprintf("compaction-%d.jsonl", i), strings.Replace(lines[0], `{"chunk_id":"chunk-`, fmt.Sprintf(`{"chunk_id":"chunk-%04d`, i), 1)
	}))
	return hs
}

// logHazards returns what stands where logs are to be.
func logHazards() (hs hazards) {
	hs.addLog("drops", `{"timestamp":"2026-11-20T09:00:00Z","event":"chunk_dropped","chunk_id":@,"session_id":@,"reason":@,"cold_storage_path":@,"config_used":@,"threshold_used":0.3,"tokens":5,"relevance_score":`)
	hs.addLog("compaction", `{"timestamp":"2026-11-20T09:00:00Z","event":"compaction_triggered","trigger":@,"config_used":@,"tokens_after":5,"chunks_dropped":3,"tokens_before":`)
	hs.addLog("curation", `{"timestamp":"2026-11-20T09:00:00Z","event":"memfas_curation","query":@,"hits_found":1,"drops_triggered":2,"token_savings":`)
	hs.addLog("recovery", `{"timestamp":"2026-11-20T09:00:00Z","event":"chunk_recovered","chunk_id":@,"session_id":@,"prompt":@,"trigger":@,"score":`)
	hs.addLog("context-health", `{"timestamp":"2026-11-20T09:00:00Z","current_tokens":5,"limit":10,"pct_used":`)
	for _, folder := range []string{".forgemind/logs", ".forgemind/logs/context"} {
		hs.add("logs", "a file", folder, text("x"))
		hs.add("logs", "a FIFO", folder, fifo)
		hs.add("logs", "a link out", folder, linkTo("local"))
		hs.add("logs", "a folder that nobody may write to", folder, func(path, _ string) error { return os.Mkdir(path, 0o500) })
	}
	const line = `{"timestamp":"2026-11-20T09:00:00Z","event":"chunk_dropped","session_id":"s","reason":"low_relevance","threshold_used":0.3,"tokens":5,"relevance_score":0.1,"chunk_id":"chunk-`
	hs.add("logs", "100 MB", ".forgemind/logs/context/drops.jsonl", long("", line+"abcdefabcdef\"}\n", 100_000_000/len(line), ""))
	return hs
}

// addLog adds what can be in a log, where head is the beginning of a line of it.
func (hs *hazards) addLog(log, head string) {
	name := ".forgemind/logs/context/" + log + ".jsonl"
	add := func(what string, put content) { hs.add("logs", what, name, put) }
	hs.addBadAndLinked(tolerated, "logs", name, fillIn(head, "x"))
	for _, w := range evil {
		add(fmt.Sprintf("the words %.20q", w), text(fillIn(head, w)+"0.5}\n"))
	}
	for _, v := range []string{`"0.5"`, "1e999", "-1", "1e308", "9007199254740991", "null", "5e-324", "[0.5]"} {
		add("the number "+v, text(fillIn(head, "x")+v+"}\n"+fillIn(head, "x")+v+"}\n"+fillIn(head, "x")+"0.5}\n"))
	}
	for _, at := range []string{"9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "2026-11-20T09:00:00+23:59", "2026-11-20", "x"} {
		add("the time "+at, text(strings.Replace(fillIn(head, "x"), "2026-11-20T09:00:00Z", at, 1)+"0.5}\n"+fillIn(head, "x")+"0.5}\n"))
	}
}
