package summarizer

import "context"

// A Summarizer is the one that the user's configuration names.
type Summarizer struct{}

// Read reads the user's configuration; nil where it names no summarizer. name is
// the file, for errors. getenv gives API keys, which stand in no file.
func Read(name string, src []byte, getenv func(string) string) (*Summarizer, error) {
	panic("not built")
}

// An Answer is a summary and who made it.
type Answer struct {
	Text  string // one or two paragraphs; without control characters, at most maxAnswer bytes
	Label string // such as "gpt-5-mini (openai), sha256 3f5a9c0d1e2b of what it read"
}

// Ask has text summarised. It ends with the configured timeout, or with ctx.
func (s *Summarizer) Ask(ctx context.Context, text string) (Answer, error) { panic("not built") }
