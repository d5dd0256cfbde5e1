package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// meanings runs a server of embeddings that knows two words with the same meaning, and records the
// texts that it gets.
func meanings(t *testing.T, status int) (url string, asked *[]string) {
	t.Helper()
	asked = new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.URL.Path != "/v1/embeddings" {
			t.Errorf("%s: %v", r.URL.Path, err)
		}
		*asked = append(*asked, q.Input...)
		var data []string
		for i, text := range q.Input {
			near := strings.Contains(text, "mortar") || strings.Contains(text, "stone")
			data = append(data, fmt.Sprintf(`{"index": %d, "embedding": [%d, 1]}`, i, map[bool]int{true: 9}[near]))
		}
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"data": [%s]}`, strings.Join(data, ","))
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1", asked
}

// A server that the user's own configuration names is asked, and none that a tree
// names.
func TestTheUsersEmbeddings(t *testing.T) {
	t.Parallel()
	tree := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(tree, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(".forgemind/cold-storage/s/compaction-1.jsonl", `{"chunk_id":"chunk-1","content":"The mortar takes lime."}`+"\n"+`{"chunk_id":"chunk-2","content":"Nobody came."}`+"\n")
	url, asked := meanings(t, 200)
	section := fmt.Sprintf(`{"embeddings": {"model": "m", "url": %q}}`, url)
	write(".forgemind/config.json", section)
	recover := func(config string) (out, told string) {
		p, _ := configured(t, config)
		var stdout, stderr strings.Builder
		p.Stdout, p.Stderr = &stdout, &stderr
		if code := p.run(t.Context(), []string{"forgemind", "recover", "--tree", tree, "--query", "stone", "--limit", "1"}); code != exitDone {
			t.Errorf("exit %d: %s", code, stderr.String())
		}
		return stdout.String(), stderr.String()
	}
	if out, _ := recover("{}"); out != "" || len(*asked) > 0 {
		t.Errorf("a tree's server was asked %q; found\n%s", *asked, out)
	}
	out, told := recover(section)
	if !strings.Contains(out, "The mortar takes lime.") || len(*asked) != 3 {
		t.Errorf("asked %q; found\n%s%s", *asked, out, told)
	}
	if recover(section); len(*asked) != 3 {
		t.Errorf("again it was sent %q", (*asked)[3:])
	}
	broken, _ := meanings(t, 500)
	out, told = recover(fmt.Sprintf(`{"embeddings": {"model": "m", "url": %q}}`, broken))
	if out != "" || !strings.Contains(told, "forgemind: warning: only full text was used for relevance: embeddings of m: status 500") {
		t.Errorf("of a server that fails: %s%s", out, told)
	}
	if _, told = recover(`{"embeddings": {"model": 7}}`); !strings.Contains(told, "forgemind: warning: ") || !strings.Contains(told, "config.json:1: ") {
		t.Errorf("of a configuration that cannot be followed: %s", told)
	}
}
