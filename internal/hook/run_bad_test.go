package hook

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/schema"
)

// payloads are those of the agents' documentation, by "agent/event.what".
func payloads(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/payloads/*/*.json")
	if err != nil || len(files) < 70 {
		t.Fatal(err, len(files))
	}
	all := map[string]string{}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(filepath.Dir(file))+"/"+strings.TrimSuffix(filepath.Base(file), ".json")] = string(src)
	}
	return all
}

// inOrder holds that an answer is in the agent's form, with nothing that steers a terminal, or nothing at all.
func inOrder(t *testing.T, what, answer string) {
	t.Helper()
	contextOf(t, answer)
	if strings.ContainsFunc(strings.TrimSuffix(answer, "\n"), schema.Hidden) {
		t.Errorf("%s: it says %q", what, answer)
	}
}

// A payload that is cut anywhere is none, and no more than that: an agent that begins
// a session or asks is answered all the same.
func TestPayloadsCutAnywhere(t *testing.T) {
	t.Parallel()
	root := plant(t, orchard())
	for name, whole := range payloads(t) {
		for i := range len(whole) {
			if p, err := readPayload("claude", []byte(whole[:i])); err == nil && strings.TrimSpace(whole[i:]) != "" {
				t.Fatalf("%s, %d bytes of %d: read as %+v", name, i, len(whole), p)
			}
		}
		agent, event, _ := strings.Cut(name, "/")
		event, _, _ = strings.Cut(event, ".")
		inOrder(t, name, run(t, root, agent, event, whole[:len(whole)/2]))
	}
	if got := said(t, root); got != "" {
		t.Errorf("it was taken in: %s", got)
	}
	if f := faults(t, root); !strings.Contains(f, ": payload: ") {
		t.Errorf("faults: %s", f)
	}
}

// Whatever stands in place of a value, or besides the values that are known.
func TestValuesThatAreNone(t *testing.T) {
	t.Parallel()
	odd := map[string]string{
		"number": "-1e400", "null": "null", "truth": "true", "list": `[["x"]]`, "object": `{"a":{"b":7}}`, "blank": `" \n"`,
		"escapes": `"\u001b]0;x\u0007\u001b[2J\u009b2J\u202e\u0000"`, "half a pair": `"\ud800"`, "bad UTF-8": "\"\xff\xfe\"",
		"up": `"../../../../etc/passwd"`, "long": `"` + strings.Repeat("../x", 2500) + `"`,
	}
	root := plant(t, orchard())
	for name, src := range payloads(t) {
		var values map[string]json.RawMessage
		if json.Unmarshal([]byte(src), &values) != nil {
			continue
		}
		agent, event, _ := strings.Cut(name, "/")
		if agent != "claude" && agent != "cursor" {
			continue // they are read alike
		}
		event, what, _ := strings.Cut(event, ".")
		if what != "" && what != "cold" && what != "auto" && what != "startup" && what != "other" && what != "Write" {
			continue
		}
		values["of the future"] = nil
		for field := range maps.Keys(values) {
			for kind, value := range odd {
				var text strings.Builder
				text.WriteString("{")
				for i, key := range slices.Sorted(maps.Keys(values)) {
					if i > 0 {
						text.WriteString(",")
					}
					v := string(values[key])
					if key == field {
						v = value
					}
					fmt.Fprintf(&text, "%q:%s", key, v)
				}
				text.WriteString("}")
				inOrder(t, name+" "+field+" "+kind, run(t, root, agent, event, strings.ReplaceAll(text.String(), "$ROOT", filepath.ToSlash(root))))
			}
		}
	}
	for _, f := range RunFaults(open(t, root)) {
		if strings.Contains(f.Text, "fault in forgemind itself") || strings.ContainsFunc(f.Text, schema.Hidden) {
			t.Errorf("%+v", f)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "etc")); err == nil {
		t.Error("something was made in the project")
	}
}

// What an agent names as its transcript is read if it is a regular file in which an
// agent wrote; where it works is looked for from there on, or from where the hook
// runs.
func TestPlacesThatAreNone(t *testing.T) {
	t.Parallel()
	const secret = "root:$6$stolen:19000:0:99999:7:::"
	outside := t.TempDir()
	write(t, outside, "shadow", secret+"\n")
	write(t, outside, "directory/keep", "")
	large, err := os.Create(filepath.Join(outside, "large"))
	if err != nil {
		t.Fatal(err)
	}
	if err := large.Truncate(2 << 30); err != nil {
		t.Skip(err)
	}
	large.Close()
	if err := os.Symlink(filepath.Join(outside, "shadow"), filepath.Join(outside, "link")); err != nil {
		t.Skip(err)
	}
	if err := exec.Command("mkfifo", filepath.Join(outside, "fifo")).Run(); err != nil {
		t.Skip(err)
	}
	for _, file := range []string{"shadow", "directory", "large", "link", "fifo", "nowhere/none", "directory/keep", "../../../../../dev/zero", "shadow/below"} {
		root := plant(t, orchard())
		for _, event := range []string{"UserPromptSubmit", "PreCompact", "Stop", "SessionEnd"} {
			inOrder(t, file, run(t, root, "claude", event, fmt.Sprintf(`{"session_id":"s-1","prompt":"Go on.","transcript_path":%q}`, filepath.Join(outside, file))))
		}
		if got := said(t, root) + faults(t, root); strings.Contains(got, "stolen") {
			t.Errorf("%s: %s", file, got)
		}
	}
	root := plant(t, orchard())
	for _, dir := range []string{"/nowhere/at/all", root + "/walls/south.md", root + "/.forgemind/context", root + "/.quaid", "relative", outside + "/fifo", outside + "/link", "/"} {
		answer := run(t, root, "claude", "SessionStart", fmt.Sprintf(`{"cwd":%q,"source":"resume"}`, dir))
		if !strings.Contains(contextOf(t, answer), "Lime mortar only") {
			t.Errorf("from %s it is told %q", dir, answer)
		}
		run(t, root, "claude", "PostToolUse", fmt.Sprintf(`{"cwd":%q,"tool_name":"Write","tool_input":{"file_path":"../../../../../../etc/passwd"}}`, dir))
	}
	if files := hot(t, root).CurrentFileContext; files != nil {
		t.Errorf("files: %q", files.Files)
	}
}

// What somebody broke while the agent worked is told in doctor: of the State as soon
// as the agent has answered, of the rest when the session ends.
func TestWhatWasBrokenMeanwhile(t *testing.T) {
	t.Parallel() // it waits
	root := plant(t, orchard())
	old := filepath.Join(root, ".forgemind/decisions/DEC-OLD.json")
	write(t, root, ".forgemind/decisions/DEC-OLD.json", "{")
	before := morning.AddDate(0, 0, -1)
	now := time.Now()
	later := edge()
	later.Now = func() time.Time { return now }
	event := func(name, more string) {
		Run(t.Context(), Call{Agent: "claude", Event: name, Payload: strings.NewReader(`{"session_id":"s-1"` + more + `}`), Dir: root, State: stateBeside(root), Edge: later, Within: leisure})
	}
	if err := os.Chtimes(old, before, before); err != nil {
		t.Fatal(err)
	}
	event("SessionStart", "")
	event("Stop", "")
	if f := faults(t, root); f != "" {
		t.Fatalf("faults: %s", f)
	}
	write(t, root, ".forgemind/decisions/DEC-NEW.json", "<<<<<<< HEAD\n{}\n")
	event("Stop", "")
	if f := faults(t, root); f != "" {
		t.Errorf("it looked at all that there is: %s", f)
	}
	event("SessionEnd", "")
	if f := faults(t, root); !strings.Contains(f, "claude SessionEnd: the tree has errors (1)") || !strings.Contains(f, "DEC-NEW.json:1") {
		t.Errorf("faults: %s", f)
	}
	write(t, root, ".forgemind/context/current-context.json", "["+stateOf[:200])
	event("Stop", "")
	if f := faults(t, root); !strings.Contains(f, "claude Stop: the tree has errors (1)") {
		t.Errorf("faults: %s", f)
	}
}
