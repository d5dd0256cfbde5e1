package embed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"go.uber.org/goleak"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const secret = "sk-test-0123456789"

// An asked is a request that the test server received.
type asked struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Format     string   `json:"encoding_format"`
	Dimensions *int     `json:"dimensions"`
	header     http.Header
	path       string
}

// serve starts an embeddings server on this machine; all collects its requests.
func serve(t *testing.T, answer func(w http.ResponseWriter, q asked)) (url string, all *[]asked) {
	t.Helper()
	all = new([]asked)
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var q asked
		if err == nil {
			err = jsonedit.Decode(body, &q)
		}
		if err != nil {
			t.Errorf("the request: %v", err)
		}
		q.header, q.path = r.Header, r.Method+" "+r.URL.Path
		mu.Lock()
		*all = append(*all, q)
		mu.Unlock()
		answer(w, q)
	}))
	t.Cleanup(server.Close)
	return server.URL, all
}

// lengths answers with the lengths of the texts, in reverse order.
func lengths(w http.ResponseWriter, q asked) {
	var data []string
	for i := len(q.Input) - 1; i >= 0; i-- {
		data = append(data, fmt.Sprintf(`{"object": "embedding", "index": %d, "embedding": [%d, 1]}`, i, len(q.Input[i])))
	}
	fmt.Fprintf(w, `{"object": "list", "model": "m", "data": [%s], "usage": {"prompt_tokens": 1}}`, strings.Join(data, ", "))
}

func says(status int, body string) func(http.ResponseWriter, asked) {
	return func(w http.ResponseWriter, _ asked) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func at(t *testing.T, url, more string) *Embedder {
	t.Helper()
	src := fmt.Sprintf(`{"embeddings": {"model": "small-1", "url": %q, "api_key_env": "MY_KEY"%s}}`, url, more)
	e, err := Read("/c/config.json", []byte(src), func(name string) string { return map[string]string{"MY_KEY": secret + "\n"}[name] })
	if err != nil || e == nil {
		t.Fatalf("%s: %v", src, err)
	}
	return e
}

// Each text gets its own vector of length 1, whatever the order of the answer.
func TestEmbeddings(t *testing.T) {
	url, all := serve(t, lengths)
	e := at(t, url+"/v1", "")
	vectors, err := e.Embed(t.Context(), []string{"pears", " \n", "keep over winter"})
	if err != nil {
		t.Fatal(err)
	}
	if len(vectors) != 3 || vectors[1] != nil {
		t.Fatalf("%v", vectors)
	}
	for i, n := range map[int]float64{0: 5, 2: 16} {
		v := vectors[i]
		if math.Abs(float64(v[0]/v[1])-n) > 1e-3 || math.Abs(float64(v[0]*v[0]+v[1]*v[1])-1) > 1e-6 {
			t.Errorf("of %d: %v", i, v)
		}
	}
	q := (*all)[0]
	if q.path != "POST /v1/embeddings" || q.Model != "small-1" || q.Format != "float" || q.Dimensions != nil || q.header.Get("Authorization") != "Bearer "+secret {
		t.Errorf("it was asked %+v", q)
	}
	if e.Name() != "small-1 at "+url+"/v1/embeddings, 0 dimensions" {
		t.Errorf("its name is %s", e.Name())
	}
	if none, err := e.Embed(t.Context(), nil); err != nil || len(none) != 0 || len(*all) != 1 {
		t.Errorf("of nothing %v, %v", none, err)
	}
}

// Many texts are sent in several requests, and long texts are cut.
func TestWhatIsSentIsBounded(t *testing.T) {
	url, all := serve(t, lengths)
	var texts []string
	for i := range 200 {
		texts = append(texts, strings.Repeat("ü", i*50))
	}
	vectors, err := at(t, url, "").Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	for _, q := range *all {
		size := 0
		for _, text := range q.Input {
			size += len(text)
			if len(text) > maxText || !utf8.ValidString(text) || strings.Trim(text, "ü") != "" {
				t.Errorf("a text of %d bytes", len(text))
			}
		}
		if sent += len(q.Input); len(q.Input) > maxBatch || size > maxRequest {
			t.Errorf("a request of %d texts, %d bytes", len(q.Input), size)
		}
	}
	if sent != 199 || vectors[0] != nil {
		t.Errorf("%d texts were sent", sent)
	}
	for i, v := range vectors[1:] {
		if want := float64(min(2*50*(i+1), maxText)); math.Abs(float64(v[0]/v[1])-want) > want/1000 {
			t.Errorf("text %d has the vector of one of %v bytes, not %v", i+1, v[0]/v[1], want)
		}
	}
}

func TestDimensions(t *testing.T) {
	url, all := serve(t, lengths)
	if _, err := at(t, url, `, "dimensions": 2`).Embed(t.Context(), []string{"pears"}); err != nil || *(*all)[0].Dimensions != 2 {
		t.Errorf("%v, asked %+v", err, *all)
	}
	if _, err := at(t, url, `, "dimensions": 3`).Embed(t.Context(), []string{"pears"}); err == nil || !strings.Contains(err.Error(), "2 dimensions, not 3") {
		t.Errorf("%v", err)
	}
	n := 0
	url, _ = serve(t, func(w http.ResponseWriter, q asked) {
		n++
		var data []string
		for i := range q.Input {
			data = append(data, fmt.Sprintf(`{"index": %d, "embedding": [1%s]}`, i, strings.Repeat(", 1", n)))
		}
		fmt.Fprintf(w, `{"data": [%s]}`, strings.Join(data, ","))
	})
	if _, err := at(t, url, "").Embed(t.Context(), make65()); err == nil || !strings.Contains(err.Error(), "one has 2 dimensions, another 3") {
		t.Errorf("two requests: %v", err)
	}
}

// make65 returns one more text than a request can contain.
func make65() (texts []string) {
	for i := range maxBatch + 1 {
		texts = append(texts, fmt.Sprint("text ", i))
	}
	return texts
}

// Every failure is an error that names the model and not the key, without vectors.
func TestAnswersThatAreNone(t *testing.T) {
	one := func(vector string) string { return `{"data": [{"index": 0, "embedding": ` + vector + `}]}` }
	for _, c := range []struct {
		what   string
		answer func(http.ResponseWriter, asked)
		says   string
	}{
		{"a refusal", says(401, `{"error": {"message": "Incorrect API key: `+secret+`"}}`), `status 401 Unauthorized: "Incorrect API key: [key]"`},
		{"a fault", says(500, "oh no\x1b[31m"), `status 500 Internal Server Error: "oh no"`},
		{"no body", says(500, ""), "status 500"},
		{"no JSON", says(200, "<html>"), `its answer is not a list of embeddings: "<html>"`},
		{"another answer", says(200, `{"choices": []}`), "its answer is not a list of embeddings"},
		{"nothing", says(200, `{"data": []}`), "0 embeddings for 1 texts"},
		{"too many", says(200, `{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1]}]}`), "2 embeddings for 1 texts"},
		{"of another text", says(200, `{"data": [{"index": 1, "embedding": [1]}]}`), "which embedding is of which text"},
		{"of no text", says(200, `{"data": [{"embedding": [1]}]}`), "which embedding is of which text"},
		{"of a text before the first", says(200, `{"data": [{"index": -1, "embedding": [1]}]}`), "which embedding is of which text"},
		{"NaN", says(200, one("[1, NaN]")), "not a list of embeddings"},
		{"text for numbers", says(200, one(`["NaN"]`)), "not a list of embeddings"},
		{"base64", says(200, one(`"AACAPw=="`)), "not a list of embeddings"},
		{"infinite", says(200, one("[1, 1e999]")), ""},
		{"empty", says(200, one("[]")), "0 dimensions"},
		{"null", says(200, one("null")), "0 dimensions"},
		{"zero", says(200, one("[0, 0]")), "all of it is 0"},
		{"very long", says(200, one("[1"+strings.Repeat(",1", maxDimensions)+"]")), "8193 dimensions"},
		{"huge", func(w http.ResponseWriter, _ asked) {
			piece := []byte(strings.Repeat(" ", 1<<20))
			for range maxResponse>>20 + 1 {
				if _, err := w.Write(piece); err != nil {
					return
				}
			}
		}, "more than 32768 KiB of answer"},
	} {
		url, _ := serve(t, c.answer)
		vectors, err := at(t, url, "").Embed(t.Context(), []string{"pears"})
		if err == nil || vectors != nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "embeddings of small-1: ") {
			t.Errorf("%s: %v, %v; want %s", c.what, vectors, err, c.says)
			continue
		}
		if strings.Contains(err.Error(), secret) || strings.ContainsAny(err.Error(), "\x1b\n") {
			t.Errorf("%s: told as %q", c.what, err)
		}
	}
}

// Numbers out of the range of float32 still give a vector with a direction.
func TestLargeAndSmallNumbers(t *testing.T) {
	for _, vector := range []string{"[3e300, 4e300]", "[3e-300, 4e-300]", "[3, 4]"} {
		url, _ := serve(t, says(200, `{"data": [{"index": 0, "embedding": `+vector+`}]}`))
		v, err := at(t, url, "").Embed(t.Context(), []string{"pears"})
		if err != nil || math.Abs(float64(v[0][0])-0.6) > 1e-6 || math.Abs(float64(v[0][1])-0.8) > 1e-6 {
			t.Errorf("%s: %v, %v", vector, v, err)
		}
	}
}

func TestSlowAnswers(t *testing.T) {
	release := make(chan struct{})
	url, _ := serve(t, func(http.ResponseWriter, asked) { <-release })
	defer close(release)
	if _, err := at(t, url, `, "timeout_seconds": 0.05`).Embed(t.Context(), []string{"pears"}); err == nil || !strings.Contains(err.Error(), "no answer within 50ms") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := at(t, url, "").Embed(ctx, []string{"pears"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

func TestNobodyIsAskedWithoutTheKey(t *testing.T) {
	url, all := serve(t, lengths)
	e, err := Read("/c/config.json", fmt.Appendf(nil, `{"embeddings": {"model": "m", "url": %q, "api_key_env": "NO_KEY"}}`, url), func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	var lacks *ConfigError
	if _, err := e.Embed(t.Context(), []string{"pears"}); !errors.As(err, &lacks) || len(*all) > 0 || lacks.Hint == "" {
		t.Errorf("%v, asked %d times", err, len(*all))
	}
}

func TestConfigurations(t *testing.T) {
	for _, c := range []struct {
		src  string
		says string // part of the error; "" for no error
	}{
		{`{}`, ""},
		{`{"summarizer": {"kind": "nonsense"}}`, ""},
		{`{"embeddings": {"model": "m", "url": "http://localhost:1/v1"}}`, ""},
		{`{"embeddings": {"model": "m", "api_key_env": "K", "dimensions": 256, "timeout_seconds": 5, "allow_http": false}}`, ""},
		{`{"embeddings": []}`, `"embeddings" is an array`},
		{`{"embeddings": {}}`, `needs "model"`},
		{`{"embeddings": {"model": "m"}}`, `needs "api_key_env"`},
		{`{"embeddings": {"model": "m", "api_key": "sk-secret"}}`, "an API key must not be in a file"},
		{`{"embeddings": {"model": "m", "kind": "openai"}}`, `has no "kind"`},
		{`{"embeddings": {"model": "m", "url": "http://example.org/v1"}}`, "unencrypted"},
		{`{"embeddings": {"model": "m", "api_key_env": "K", "dimensions": 0}}`, `"dimensions" is to be from 1 to 8192`},
		{`{"embeddings": {"model": "m", "api_key_env": "K", "dimensions": 1.5}}`, "dimensions"},
		{`{"embeddings": {"model": "m", "api_key_env": "K", "timeout_seconds": 0}}`, "timeout_seconds"},
		{`{"embedding": {"model": "m"}}`, `"embedding" is nothing`},
		{`{"embeddings": {"model": ""}}`, "no name of a model"},
		{`{`, ""},
	} {
		e, err := Read("/c/config.json", []byte(c.src), func(string) string { return "key" })
		var wrong *ConfigError
		switch {
		case c.src == "{":
			if !errors.As(err, &wrong) {
				t.Errorf("%s: %v", c.src, err)
			}
		case c.says == "" && (err != nil || (e != nil) != strings.Contains(c.src, "embeddings")):
			t.Errorf("%s: %v, %v", c.src, e, err)
		case c.says != "" && (e != nil || !errors.As(err, &wrong) || !strings.Contains(wrong.Msg, c.says)):
			t.Errorf("%s: %v, %v", c.src, e, err)
		}
	}
}

// FuzzRead tests that any answer gives a vector of length 1 for each text, or an error.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"data": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [3e300, 4]}]}`), 2)
	f.Add([]byte(`{"data": [{"index": 0, "embedding": [0]}]}`), 1)
	f.Fuzz(func(t *testing.T, body []byte, texts int) {
		texts = max(0, min(texts, maxBatch))
		vectors, err := read(body, texts, 0)
		if err != nil {
			return
		}
		if len(vectors) != texts {
			t.Fatalf("%d vectors", len(vectors))
		}
		for _, v := range vectors {
			sum := 0.0
			for _, x := range v {
				sum += float64(x) * float64(x)
			}
			if math.Abs(sum-1) > 1e-3 {
				t.Fatalf("length %v: %v", sum, v)
			}
		}
	})
}
