package transcript

import (
	"encoding/json"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A Usage is how large an agent says that its request was: everything that
// stood in its window, with what it answered.
type Usage struct {
	Tokens int    `json:"tokens"`
	Limit  int    `json:"limit,omitzero"` // of its window; 0 where it did not say
	Agent  string `json:"agent,omitzero"`
	At     string `json:"at,omitzero"` // a time
}

// MaxUsage is the most tokens that a Usage may name; more is a mistake.
const MaxUsage = 1_000_000_000

// state notes what the transcript says its request cost, if that is a number of
// tokens. What was said until then is in it.
func (rd *reader) state(u Usage) {
	if u.Tokens <= 0 || u.Tokens > MaxUsage || rd.taken || rd.side {
		return
	}
	if u.Limit < 0 || u.Limit > MaxUsage {
		u.Limit = 0
	}
	rd.usage, rd.stated = &u, len(rd.messages)
}

// compacted notes that the agent shortened its own window.
func (rd *reader) compacted() { rd.usage = nil }

// claudeUsage is what an answer says of the request that it is to: what was
// sent, from the cache or not, and what came back.
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

// codexUsage is what a token_count event says: of the last request, not of all
// of them together, and how large the model's window is.
func codexUsage(raw json.RawMessage) (tokens, limit int) {
	var info struct {
		Last *struct {
			Total  int `json:"total_tokens"`
			Input  int `json:"input_tokens"` // those from the cache among them
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

// sum adds numbers of tokens; 0 where one of them is none.
func sum(all ...int) (tokens int) {
	for _, n := range all {
		if n < 0 || n > MaxUsage {
			return 0
		}
		tokens += n
	}
	return tokens
}
