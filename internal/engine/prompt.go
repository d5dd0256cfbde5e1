package engine

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/schema"
)

// promptOf is what the user said last in a conversation; "" where there is none.
func (r *round) promptOf(messages []schema.Message) string {
	for _, m := range slices.Backward(messages) {
		user := m.Role == "user" && m.ToolName == "" || m.Role != "tool" && r.config.IsBoss(m.Agent)
		if text := strings.TrimSpace(m.Content); user && text != "" && m.Kind != compact.Summary {
			return text
		}
	}
	return ""
}
