package sync

import (
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A guarded serves those who know the password.
type guarded struct{ http.Handler }

func (g guarded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if name, password, ok := r.BasicAuth(); !ok || name != "ann" || password != "pw" {
		w.Header().Set("WWW-Authenticate", `Basic realm="context"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	g.Handler.ServeHTTP(w, r)
}

// TestOverHTTP has two machines that reach the remote over smart HTTP, as a git host serves it, with
// the user name and the password of a credential helper.
func TestOverHTTP(t *testing.T) {
	t.Parallel()
	remote, dir := newRemote(t), t.TempDir()
	out, err := exec.Command("git", "--exec-path").Output()
	backend := filepath.Join(strings.TrimSpace(string(out)), "git-http-backend")
	if _, missing := exec.LookPath(backend); err != nil || missing != nil {
		t.Skip("git http-backend is not installed")
	}
	setting := func(dir, name, value string) {
		t.Helper()
		if out, err := exec.Command("git", "-C", dir, "config", name, value).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	setting(remote, "http.receivepack", "true")
	served := &cgi.Handler{Path: backend, Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(remote), "GIT_HTTP_EXPORT_ALL=1"}}
	server := httptest.NewServer(guarded{served})
	defer server.Close()
	url := server.URL + "/" + filepath.Base(remote)

	one, two := newMachine(t, filepath.Join(dir, "one"), url, 1), newMachine(t, filepath.Join(dir, "two"), url, 2)
	one.write(t, goalName(1, 1), `{"id": "goal-m1n1", "goal": "One"}`)
	if _, err := one.sync(t.Context()); err == nil {
		t.Error("the remote lets in a stranger")
	}
	for _, m := range []machine{one, two} {
		if out, err := exec.Command("git", "init", "-q", m.dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		setting(m.dir, "credential.helper", "!f() { echo username=ann; echo password=pw; }; f")
	}
	if report, err := one.sync(t.Context()); err != nil || !slices.Equal(report.Published, []string{goalName(1, 1)}) {
		t.Errorf("%+v, %v", report, err)
	}
	if report, err := two.sync(t.Context()); err != nil || !slices.Equal(report.Taken, []string{goalName(1, 1)}) {
		t.Errorf("%+v, %v", report, err)
	}
}
