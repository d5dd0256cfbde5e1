package remote

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
	maxHeaders   = 64 << 10 // bytes
	maxRedirects = 3
)

// An Endpoint holds what is needed to send requests to a model.
type Endpoint struct {
	URL  string
	Key  string                   // API key; "" for none
	Sign func(header http.Header) // adds the key to a request; nil sends it as a bearer token
	Most int64                    // largest size of an answer, in bytes
}

// Ask sends one request and returns the body of the answer. If the body contains the key, Ask
// removes it.
func (e *Endpoint) Ask(ctx context.Context, body any) ([]byte, error) {
	text, err := jsonedit.Value(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "forgemind")
	switch {
	case e.Sign != nil:
		e.Sign(request.Header)
	case e.Key != "":
		request.Header.Set("Authorization", "Bearer "+e.Key)
	}
	return e.send(request)
}

func (e *Endpoint) send(request *http.Request) ([]byte, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableKeepAlives, transport.DisableCompression = true, true
	transport.MaxResponseHeaderBytes = maxHeaders
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, CheckRedirect: sameHost}
	response, err := client.Do(request)
	if err != nil {
		var where *url.Error
		if errors.As(err, &where) {
			err = where.Err // the user knows the address from the configuration
		}
		return nil, fmt.Errorf("%s", Cut(e.keyless(err.Error()), 300))
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, e.Most+1))
	if err != nil {
		return nil, fmt.Errorf("reading its answer: %w", err)
	}
	body = []byte(e.keyless(string(body)))
	switch {
	case response.StatusCode < 200 || response.StatusCode > 299:
		return nil, refusal(response, body)
	case int64(len(body)) > e.Most:
		return nil, fmt.Errorf("more than %d KiB of answer", e.Most>>10)
	}
	return body, nil
}

// sameHost refuses redirects to other hosts: the text and the key are meant for the host that the
// user named.
func sameHost(to *http.Request, via []*http.Request) error {
	from := via[0].URL
	switch {
	case to.URL.Scheme != from.Scheme || !strings.EqualFold(to.URL.Host, from.Host):
		return fmt.Errorf("it redirects to another host, %s, which was not asked", Quoted(to.URL.Host, 80))
	case len(via) > maxRedirects:
		return errors.New("it redirects without end")
	}
	return nil
}

// keyless returns text without the key. Very short keys are left in, because they are no secret.
func (e *Endpoint) keyless(text string) string {
	if len(e.Key) < 8 {
		return text
	}
	return strings.ReplaceAll(text, e.Key, "[key]")
}

// refusal returns the error for an answer with a failure status.
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
	return fmt.Errorf("%s: %s", status, Quoted(message, 300))
}

// Unreadable returns the error for an answer that does not follow the protocol.
func Unreadable(what string, body []byte) error {
	return fmt.Errorf("its answer is not %s: %s", what, Quoted(string(body[:min(len(body), 2000)]), 100))
}
