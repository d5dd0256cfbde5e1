package summarizer

import (
	"context"
	"net/http"

	"github.com/forgemind/forgemind/internal/remote"
)

const (
	maxResponse = 1 << 20 // bytes
	// maxWords is the maximum length of an answer in tokens, for protocols that require
	// one.
	maxWords = 1024
)

// An endpoint is the API of a model.
type endpoint struct {
	kind, url, model string
	key              string // "" if none
}

// ask sends one request.
func (e *endpoint) ask(ctx context.Context, asked prompt) (reply, error) {
	body, read := e.openAI(asked)
	at := remote.Endpoint{URL: e.url, Key: e.key, Most: maxResponse}
	if e.kind == Anthropic {
		body, read = e.anthropic(asked)
		at.Sign = e.sign
	}
	answer, err := at.Ask(ctx, body)
	if err != nil {
		return reply{}, err
	}
	return read(answer)
}

// sign adds the key in the header of Anthropic's API.
func (e *endpoint) sign(header http.Header) {
	header.Set("anthropic-version", "2023-06-01")
	if e.key != "" {
		header.Set("x-api-key", e.key)
	}
}
