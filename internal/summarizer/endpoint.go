package summarizer

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

const (
	maxResponse  = 1 << 20  // bytes
	maxHeaders   = 64 << 10 // bytes
	maxRedirects = 3
	// maxWords is how much a model may say, in tokens, where a protocol wants it
	// to be told.
	maxWords = 1024
)

// An endpoint is where a model is asked.
type endpoint struct {
	kind, url, model string
	key              string // "" for none
}

// ask sends one request.
func (e *endpoint) ask(ctx context.Context, asked prompt) (reply, error) {
	body, read := e.openAI(asked)
	if e.kind == Anthropic {
		body, read = e.anthropic(asked)
	}
	text, err := jsonedit.Value(body)
	if err != nil {
		return reply{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(text))
	if err != nil {
		return reply{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "forgemind")
	e.sign(request.Header)
	answer, err := e.send(request)
	if err != nil {
		return reply{}, err
	}
	return read(answer)
}

// sign adds the key, as the protocol has it.
func (e *endpoint) sign(header http.Header) {
	if e.kind == Anthropic {
		header.Set("anthropic-version", "2023-06-01")
	}
	switch {
	case e.key == "":
	case e.kind == Anthropic:
		header.Set("x-api-key", e.key)
	default:
		header.Set("Authorization", "Bearer "+e.key)
	}
}

// send returns the body of the answer, without the key if that is in it.
func (e *endpoint) send(request *http.Request) ([]byte, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableKeepAlives, transport.DisableCompression = true, true
	transport.MaxResponseHeaderBytes = maxHeaders
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, CheckRedirect: sameHost}
	response, err := client.Do(request)
	if err != nil {
		var where *url.Error
		if errors.As(err, &where) {
			err = where.Err // the address stands in the configuration
		}
		return nil, fmt.Errorf("%s", cut(e.keyless(err.Error()), 300))
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxResponse+1))
	if err != nil {
		return nil, fmt.Errorf("reading its answer: %w", err)
	}
	body = []byte(e.keyless(string(body)))
	switch {
	case response.StatusCode < 200 || response.StatusCode > 299:
		return nil, refusal(response, body)
	case len(body) > maxResponse:
		return nil, fmt.Errorf("more than %d KiB of answer", maxResponse>>10)
	}
	return body, nil
}

// sameHost refuses to be led elsewhere: the text, and the key, are for the host
// that the user named.
func sameHost(to *http.Request, via []*http.Request) error {
	from := via[0].URL
	switch {
	case to.URL.Scheme != from.Scheme || !strings.EqualFold(to.URL.Host, from.Host):
		return fmt.Errorf("it redirects to another host, %s, which was not asked", quoted(to.URL.Host, 80))
	case len(via) > maxRedirects:
		return errors.New("it redirects without end")
	}
	return nil
}

// keyless is text without the key. What is very short is no secret.
func (e *endpoint) keyless(text string) string {
	if len(e.key) < 8 {
		return text
	}
	return strings.ReplaceAll(text, e.key, "[key]")
}

// refusal is what a server says that does not answer.
func refusal(response *http.Response, body []byte) error {
	var says struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	var bare struct {
		Error   string `json:"error"`
		Message string `json:"message"`
	}
	message := ""
	if jsonedit.Decode(body, &says) == nil {
		message = says.Error.Message
	}
	if message == "" && jsonedit.Decode(body, &bare) == nil {
		message = cmp.Or(bare.Error, bare.Message)
	}
	message = cmp.Or(message, string(body[:min(len(body), 2000)]))
	status := fmt.Sprintf("status %d %s", response.StatusCode, http.StatusText(response.StatusCode))
	if strings.TrimSpace(message) == "" {
		return errors.New(status)
	}
	return fmt.Errorf("%s: %s", status, quoted(message, 300))
}

// unreadable is an answer that is not in the form of its protocol.
func unreadable(what string, body []byte) error {
	return fmt.Errorf("its answer is not %s: %s", what, quoted(string(body[:min(len(body), 2000)]), 100))
}
