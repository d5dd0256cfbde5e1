package summarizer

import (
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/remote"
)

// A turn is one message of a request.
type turn struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// openAI returns a request for OpenAI's chat completions API, and a function that reads
// its response.
func (e *endpoint) openAI(asked prompt) (request any, read func([]byte) (reply, error)) {
	request = struct {
		Model    string `json:"model"`
		Messages []turn `json:"messages"`
	}{e.model, []turn{{"system", asked.instruction()}, {"user", asked.fenced()}}}
	return request, func(body []byte) (reply, error) {
		var answer struct {
			Choices []struct {
				Message struct {
					Content *string `json:"content"`
				} `json:"message"`
				Finish string `json:"finish_reason"`
			} `json:"choices"`
		}
		if err := jsonedit.Decode(body, &answer); err != nil || len(answer.Choices) == 0 || answer.Choices[0].Message.Content == nil {
			return reply{}, remote.Unreadable("a chat completion", body)
		}
		first := answer.Choices[0]
		return reply{*first.Message.Content, first.Finish == "length"}, nil
	}
}
