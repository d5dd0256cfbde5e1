//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// transcriptSize is the length of the transcript at the beginning of a measurement.
const transcriptSize = 5 << 20 // bytes

// hooks measures each event of Claude Code as its hooks run it: a whole process, on
// a tree with 10,000 messages and 1,000 decisions, and with a transcript of 5 MB
// that grows by an exchange each turn. Once in sessions of a hundred messages, which
// slide and are archived; once in one conversation of the whole project.
func (b *bench) hooks() error {
	for _, layout := range []string{"both", "forgemind"} {
		s, err := b.newHooked(layout)
		if err != nil {
			return err
		}
		took, cpu := map[string][]float64{}, map[string][]float64{}
		for range b.tenth(100) {
			if err := s.exchange(); err != nil {
				return err
			}
			for _, e := range hookEvents {
				u, err := s.run(e.event, e.more)
				if err != nil {
					return err
				}
				took[e.event+e.what], cpu[e.event+e.what] = append(took[e.event+e.what], ms(u.wall)), append(cpu[e.event+e.what], ms(u.cpu))
			}
		}
		for _, e := range hookEvents {
			samples, used := took[e.event+e.what], cpu[e.event+e.what]
			b.add("hooks", fmt.Sprintf("layout %s: %s%s, p95", layout, e.event, e.what), quantile(samples, 0.95), "ms", "<= 100",
				fmt.Sprintf("median %s, least %s; CPU median %s, least %s",
					number(quantile(samples, 0.5)), number(quantile(samples, 0)), number(quantile(used, 0.5)), number(quantile(used, 0))))
		}
		if err := s.check(); err != nil {
			return err
		}
	}
	return nil
}

// hookEvents are the events of a turn, in their order; more is what the payload has
// besides.
var hookEvents = []struct{ event, what, more string }{
	{"SessionStart", " (resume)", `,"source":"resume"`},
	{"UserPromptSubmit", "", `,"prompt":"Which datum do the tide tables in internal/auth/jwt.go have, and why?"`},
	{"PostToolUse", "", `,"tool_name":"Edit","tool_input":{"file_path":"internal/auth/jwt.go"}`},
	{"Stop", "", `,"stop_hook_active":false`},
	{"PreCompact", "", `,"trigger":"auto"`},
	{"PostCompact", "", `,"trigger":"auto","compact_summary":"Tides."`},
	{"SessionStart", " (compact)", `,"source":"compact"`},
	{"SessionEnd", "", `,"reason":"other"`},
}

// A hooked is a session of an agent whose hooks run.
type hooked struct {
	b               *bench
	dir, transcript string
	lines           int
}

// newHooked makes the tree and the transcript, which is taken in.
func (b *bench) newHooked(layout string) (*hooked, error) {
	s := &hooked{b: b, dir: filepath.Join(b.dir, "hooks-"+layout), transcript: filepath.Join(b.dir, layout+".jsonl")}
	if err := put(s.dir, "internal/auth/jwt.go", []byte("package auth\n")); err != nil {
		return nil, err
	}
	if _, err := must(0, s.dir, b.binary, "init", "--layout", layout); err != nil {
		return nil, err
	}
	for i := range b.tenth(1000) {
		id := fmt.Sprintf("DEC-%06d", i)
		text, err := jsonedit.Marshal(decision(newAuthor(i), id, schema.FormatTime(time.Date(2025, 1, 1, 0, i, 0, 0, time.UTC))))
		if err != nil {
			return nil, err
		}
		if err := put(s.dir, fs.Forgemind+"/"+fs.DecisionsDir+"/"+id+".json", text); err != nil {
			return nil, err
		}
	}
	if layout == "both" {
		if err := putSessions(s.dir, b.tenth(100), 100); err != nil {
			return nil, err
		}
	} else if err := putMessages(s.dir, b.tenth(10_000)); err != nil {
		return nil, err
	}
	for s.size() < int64(b.tenth(transcriptSize)) {
		if err := s.exchange(); err != nil {
			return nil, err
		}
	}
	for range 1000 { // each takes in as much as there is time for
		if _, err := s.run("Stop", ""); err != nil {
			return nil, err
		}
		if s.check() == nil {
			return s, nil
		}
	}
	return nil, s.check()
}

func (s *hooked) size() int64 {
	fi, err := os.Stat(s.transcript)
	if err != nil {
		return 0
	}
	return fi.Size()
}

// exchange adds a prompt, a tool's call and result, and an answer to the transcript,
// as Claude Code writes them down.
func (s *hooked) exchange() error {
	a := newAuthor(s.lines)
	at := time.Date(2026, 1, 1, 0, 0, s.lines, 0, time.UTC)
	said := func(role string, content any, more string) string {
		s.lines++
		text, _ := json.Marshal(content) // of texts alone
		return fmt.Sprintf(`{"type":%q,"uuid":"u-%d","sessionId":"s-1","timestamp":%q,"cwd":%q,"message":{"role":%[1]q,"content":%[5]s%[6]s}}`+"\n",
			role, s.lines, schema.FormatTime(at), s.dir, text, more)
	}
	call := fmt.Sprint("toolu_", s.lines)
	text := said("user", a.words(20), "") +
		said("assistant", []any{map[string]any{"type": "tool_use", "id": call, "name": "Read", "input": map[string]string{"file_path": "internal/auth/jwt.go"}}}, "") +
		said("user", []any{map[string]any{"type": "tool_result", "tool_use_id": call, "content": a.words(300)}}, "") +
		said("assistant", a.words(120), fmt.Sprintf(`,"usage":{"input_tokens":%d,"output_tokens":200}`, 1000+s.lines%50_000))
	file, err := os.OpenFile(s.transcript, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := file.WriteString(text); err != nil {
		return err
	}
	return file.Close()
}

// run runs the hook of an event as Claude Code does.
func (s *hooked) run(event, more string) (usage, error) {
	cmd := exec.Command(s.b.binary, "hook", "run", event, "--agent", "claude")
	cmd.Dir = s.dir
	cmd.Stdin = bytes.NewReader(fmt.Appendf(nil, `{"session_id":"s-1","transcript_path":%q,"cwd":%q,"hook_event_name":%q%s}`, s.transcript, s.dir, event, more))
	var told bytes.Buffer
	cmd.Stderr = &told
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil || told.Len() > 0 {
		return usage{}, fmt.Errorf("hook run %s: %v: %s", event, err, &told)
	}
	return usage{wall: wall, cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}, nil
}

// check holds that hooks did what they are for.
func (s *hooked) check() error {
	cmd := exec.Command(s.b.binary, "message", "list", "--format", "json", "--last", "5")
	cmd.Dir = s.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("message list: %w: %s", err, out)
	}
	if want := fmt.Sprintf("msg-u-%d", s.lines); !bytes.Contains(out, []byte(want)) {
		return fmt.Errorf("%s was not taken in: %s", want, out)
	}
	return nil
}
