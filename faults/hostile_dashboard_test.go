//go:build linux

package faults_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"
)

// The dashboard of a strangers' tree answers each question, in JSON that is whole,
// without what stands outside.
func TestHostileDashboard(t *testing.T) {
	d := newDiscussionTree(t)
	condensed := strings.TrimSuffix(filepath.Base(d.condensed), ".md")
	questions := []string{"health", "decisions", "decisions/" + d.decision, "condensations", "condensations/" + condensed, "threads", "threads/" + d.id, "channels", "channels/proj-south-wall", "projects", "projects/south-wall", "handoffs", "triggers", "audit", "threads/..%2f..%2fx"}
	s := suite{base: d.dir, invocations: invocations("all: dashboard"), checks: safetyChecks, act: func(s *setup) run { return ask(s, questions) }}
	for n, h := range d.hazards() {
		if h.topic != "import" && (n%3 == 0 || !strings.Contains(h.what, " as ")) {
			s.hazards = append(s.hazards, h)
		}
	}
	s.run(t)
}

// ask serves the dashboard, asks it the questions, and checks the answers.
func ask(s *setup, questions []string) run {
	page := s.serve()
	for _, what := range questions {
		start := time.Now()
		status, answer := page.get(s.T, "/api/"+what)
		if took := time.Since(start); took > 2*time.Second {
			s.Logf("%s: %v", what, took)
		}
		if !json.Valid(answer) || !utf8.Valid(answer) || status != http.StatusOK && !strings.Contains(string(answer), `"error":`) {
			s.Errorf("%s: status %d, %.200q", what, status, answer)
		}
		if strings.Contains(string(answer), outside) || strings.Contains(string(answer), "root:x:0") || len(answer) > 8<<20 {
			s.Errorf("%s: %d bytes, %.300q", what, len(answer), answer)
		}
	}
	return run{args: s.invocation.args, rss: page.stop()}
}

// A servedPage is a dashboard that runs.
type servedPage struct {
	cmd    *exec.Cmd
	client *http.Client
	at     *url.URL
	said   *transcript
}

func (s *setup) serve() *servedPage {
	s.Helper()
	p := &servedPage{cmd: s.cmd, said: &transcript{}}
	out, err := p.cmd.StdoutPipe()
	p.cmd.Stderr = p.said
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		s.Errorf("dashboard: %v", err)
		return p
	}
	first, _ := bufio.NewReader(out).ReadString('\n')
	go io.Copy(io.Discard, out)
	jar, _ := cookiejar.New(nil)
	p.client = &http.Client{Jar: jar, Timeout: hang}
	if p.at, err = url.Parse(strings.TrimSpace(first)); err != nil || p.at.Host == "" {
		p.at = nil // it does not run: it said why
	}
	return p
}

// get returns the answer to a question; an error if the dashboard does not run.
func (p *servedPage) get(t *testing.T, path string) (status int, text []byte) {
	t.Helper()
	if p.at == nil {
		return 0, []byte(`{"error":"it does not run"}`)
	}
	at, _ := p.at.Parse(path)
	at.RawQuery = p.at.RawQuery
	answer, err := p.client.Get(at.String())
	if err != nil {
		t.Errorf("%s: %v; %s", path, err, cut(p.said.String()))
		return 0, nil
	}
	defer answer.Body.Close()
	text, _ = io.ReadAll(io.LimitReader(answer.Body, 16<<20))
	return answer.StatusCode, text
}

// stop ends the dashboard and returns how much memory it had, in MiB.
func (p *servedPage) stop() int {
	if p.cmd.Process == nil {
		return 0
	}
	p.cmd.Process.Signal(syscall.SIGTERM)
	timer := time.AfterFunc(hang, func() { p.cmd.Process.Kill() })
	p.cmd.Wait()
	timer.Stop()
	usage, _ := p.cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return int(usage.Maxrss >> 10)
}
