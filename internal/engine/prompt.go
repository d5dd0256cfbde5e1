package engine

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/schema"
)

// promptOf returns the last user message of a conversation; "" if there is none.
func (r *WorkingSet) promptOf(messages []schema.Message) string {
	for _, m := range slices.Backward(messages) {
		if text := strings.TrimSpace(m.Content); r.isUsers(m) && text != "" && m.Kind != compact.Summary {
			return text
		}
	}
	return ""
}

// isUsers reports whether a message is of the user or a boss.
func (r *WorkingSet) isUsers(m schema.Message) bool {
	return m.Role == "user" && m.ToolName == "" || m.Role != "tool" && isBoss(bosses(r.config), m.Agent)
}
