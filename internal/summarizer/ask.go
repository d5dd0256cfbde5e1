package summarizer

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// maxText is the number of bytes of a text that are sent; the beginning of a longer
// text is cut off.
const maxText = 256 << 10

// A Summarizer is the summarizer of the user's configuration.
type Summarizer struct {
	kind, model string
	timeout     time.Duration
	lacks       error // the reason why no request is possible, or nil
	ask         func(ctx context.Context, p prompt) (reply, error)
}

// A reply is a response before it is cleaned.
type reply struct {
	text  string
	short bool // the response was cut off by a limit
}

// An Answer is a summary and its source.
type Answer struct {
	Text  string // plain paragraphs, one line each, with empty lines between them; without control characters, at most maxAnswer bytes
	Label string // such as "gpt-5-mini (openai), sha256 3f5a9c0d1e2b of what it read"
}

// Ask requests a summary of text. It ends with the configured timeout, or with ctx.
// Errors contain the name of the summarizer, never the key. An empty summary is an
// error too.
func (s *Summarizer) Ask(ctx context.Context, text string) (Answer, error) {
	answer, err := s.answer(ctx, text)
	if err != nil {
		return Answer{}, fmt.Errorf("summarizer %s (%s): %w", s.model, s.kind, err)
	}
	return answer, nil
}

func (s *Summarizer) answer(ctx context.Context, text string) (Answer, error) {
	if s.lacks != nil {
		return Answer{}, s.lacks
	}
	text = newest(strings.ToValidUTF8(text, "\ufffd"))
	if strings.TrimSpace(text) == "" {
		return Answer{}, errors.New("there is nothing to summarise")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.timeout, fmt.Errorf("no answer within %v", s.timeout))
	defer cancel()
	sum := sha256.Sum256([]byte(text))
	mark := fmt.Sprintf("%x", sum[:6])
	said, err := s.ask(ctx, prompt{text, mark})
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return Answer{}, cause
	}
	if err != nil {
		return Answer{}, err
	}
	clean := tidy(said)
	if clean == "" {
		return Answer{}, errors.New("its answer is empty")
	}
	return Answer{clean, fmt.Sprintf("%s (%s), sha256 %s of what it read", s.model, s.kind, mark)}, nil
}

// newest returns the end of a text that is too long. It begins at the start of a line
// if one comes soon.
func newest(text string) string {
	if len(text) <= maxText {
		return text
	}
	text = text[len(text)-maxText:]
	for !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	if _, rest, ok := strings.Cut(text, "\n"); ok && len(rest) > maxText/2 {
		return rest
	}
	return text
}
