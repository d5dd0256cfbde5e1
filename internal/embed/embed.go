package embed

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/remote"
)

// Limits of requests and responses.
const (
	maxText     = 8 << 10   // bytes of a text; the end of a longer one is cut off
	maxBatch    = 64        // texts of a request
	maxRequest  = 256 << 10 // bytes of the texts of a request
	maxResponse = 32 << 20  // bytes
)

// An Embedder calls the server of the user's configuration.
type Embedder struct {
	name, model string
	dimensions  int // 0: the default of the model
	timeout     time.Duration
	lacks       error // the reason why no request is possible, or nil
	at          remote.Endpoint
}

// Name returns the name of the model and the server. Vectors of different names cannot
// be compared.
func (e *Embedder) Name() string { return e.name }

// Embed returns a vector of length 1 for each text, in order; nil for a blank text.
// Each request ends with the configured timeout, or with ctx. Errors contain the name
// of the model, never the key.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var batch []string
	var places []int
	size := 0
	send := func() error {
		if len(batch) == 0 {
			return nil
		}
		got, err := e.ask(ctx, batch)
		if err != nil {
			return fmt.Errorf("embeddings of %s: %w", e.model, err)
		}
		for i, place := range places {
			vectors[place] = got[i]
		}
		batch, places, size = batch[:0], places[:0], 0
		return nil
	}
	for i, text := range texts {
		if text = fit(text); text == "" {
			continue
		}
		if len(batch) == maxBatch || size+len(text) > maxRequest {
			if err := send(); err != nil {
				return nil, err
			}
		}
		batch, places, size = append(batch, text), append(places, i), size+len(text)
	}
	if err := send(); err != nil {
		return nil, err
	}
	for _, v := range vectors {
		if v != nil && len(v) != len(first(vectors)) {
			return nil, fmt.Errorf("embeddings of %s: one has %d dimensions, another %d", e.model, len(first(vectors)), len(v))
		}
	}
	return vectors, nil
}

func first(vectors [][]float32) []float32 {
	for _, v := range vectors {
		if v != nil {
			return v
		}
	}
	return nil
}

// fit returns the part of a text that is sent.
func fit(text string) string {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\ufffd"))
	if len(text) <= maxText {
		return text
	}
	text = text[:maxText]
	for !utf8.ValidString(text[len(text)-min(len(text), utf8.UTFMax):]) && len(text) > maxText-utf8.UTFMax {
		text = text[:len(text)-1]
	}
	return strings.ToValidUTF8(text, "")
}

// ask sends one request.
func (e *Embedder) ask(ctx context.Context, texts []string) ([][]float32, error) {
	if e.lacks != nil {
		return nil, e.lacks
	}
	ctx, cancel := context.WithTimeoutCause(ctx, e.timeout, fmt.Errorf("no answer within %v", e.timeout))
	defer cancel()
	body, err := e.at.Ask(ctx, struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Format     string   `json:"encoding_format"`
		Dimensions int      `json:"dimensions,omitzero"`
	}{e.model, texts, "float", e.dimensions})
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, err
	}
	return read(body, len(texts), e.dimensions)
}
