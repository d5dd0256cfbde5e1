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

// maxText is how much of a text is given away, in bytes: of a longer one the end.
const maxText = 256 << 10

// A Summarizer is the one that the user's configuration names.
type Summarizer struct {
	kind, model string
	timeout     time.Duration
	lacks       error // what is missing to ask at all
	ask         func(ctx context.Context, p prompt) (reply, error)
}

// A reply is what was said, as it was said.
type reply struct {
	text  string
	short bool // it had no room to end
}

// An Answer is a summary and who made it.
type Answer struct {
	Text  string // plain paragraphs, one line each, with empty lines between them; without control characters, at most maxAnswer bytes
	Label string // such as "gpt-5-mini (openai), sha256 3f5a9c0d1e2b of what it read"
}

// Ask has text summarised. It ends with the configured timeout, or with ctx.
// Errors name the summarizer, never the key. An answer that says nothing is an
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
		return Answer{}, errors.New("its answer says nothing")
	}
	return Answer{clean, fmt.Sprintf("%s (%s), sha256 %s of what it read", s.model, s.kind, mark)}, nil
}

// newest is the end of a text that is too long, from the beginning of a line on
// if one begins soon.
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
