package summarizer

import (
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/remote"
)

// anthropic returns a request for Anthropic's messages API, and a function that reads
// its response.
func (e *endpoint) anthropic(asked prompt) (request any, read func([]byte) (reply, error)) {
	request = struct {
		Model     string `json:"model"`
		MaxTokens int    `json:"max_tokens"`
		System    string `json:"system"`
		Messages  []turn `json:"messages"`
	}{e.model, maxWords, asked.instruction(), []turn{{"user", asked.fenced()}}}
	return request, func(body []byte) (reply, error) {
		var answer struct {
			Content []struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"content"`
			Stop string `json:"stop_reason"`
		}
		if err := jsonedit.Decode(body, &answer); err != nil || answer.Content == nil {
			return reply{}, remote.Unreadable("a message", body)
		}
		var text strings.Builder
		for _, block := range answer.Content {
			if block.Type == "text" {
				text.WriteString(block.Text)
			}
		}
		return reply{text.String(), answer.Stop == "max_tokens"}, nil
	}
}
