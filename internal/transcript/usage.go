package transcript

import (
	"encoding/json"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A Usage is the size of a request and its answer, as the agent states it.
type Usage struct {
	Tokens int    `json:"tokens"`
	Limit  int    `json:"limit,omitzero"` // tokens of the window; 0 if unknown
	Agent  string `json:"agent,omitzero"`
	At     string `json:"at,omitzero"` // a time
}

// MaxUsage is the highest number of tokens that is accepted in a Usage.
const MaxUsage = 1_000_000_000

// state sets the usage as of the messages so far, if its number of tokens is valid.
func (im *intake) state(u Usage) {
	if u.Tokens <= 0 || u.Tokens > MaxUsage {
		return
	}
	if u.Limit < 0 || u.Limit > MaxUsage {
		u.Limit = 0
	}
	im.usage, im.stated = &u, len(im.messages)
}

// compacted discards the usage, because the agent shortened its window.
func (im *intake) compacted() { im.usage = nil }

// claudeUsage returns the tokens of the request and its answer: input, cached or not,
// and output.
func claudeUsage(raw json.RawMessage) (tokens int) {
	var u struct {
		Input   int `json:"input_tokens"`
		Created int `json:"cache_creation_input_tokens"`
		Read    int `json:"cache_read_input_tokens"`
		Output  int `json:"output_tokens"`
	}
	if len(raw) == 0 || jsonedit.Decode(raw, &u) != nil {
		return 0
	}
	return sum(u.Input, u.Created, u.Read, u.Output)
}

// codexUsage returns the tokens of the last request in a token_count event, and the
// size of the model's window.
func codexUsage(raw json.RawMessage) (tokens, limit int) {
	var info struct {
		Last *struct {
			Total  int `json:"total_tokens"`
			Input  int `json:"input_tokens"` // including those from the cache
			Output int `json:"output_tokens"`
		} `json:"last_token_usage"`
		Window int `json:"model_context_window"`
	}
	if len(raw) == 0 || jsonedit.Decode(raw, &info) != nil || info.Last == nil {
		return 0, 0
	}
	if tokens = info.Last.Total; tokens == 0 {
		tokens = sum(info.Last.Input, info.Last.Output)
	}
	return tokens, info.Window
}

// sum returns the sum of numbers of tokens, or 0 if one of them is out of range.
func sum(all ...int) (tokens int) {
	for _, n := range all {
		if n < 0 || n > MaxUsage {
			return 0
		}
		tokens += n
	}
	return tokens
}
