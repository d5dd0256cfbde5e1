package triggers

import (
	"fmt"
	"strconv"
	"strings"
)

// reason says to people why the condition holds: the values it speaks of.
func (c *Condition) reason(previous Previous, change Change) string {
	now := change.Now
	var parts []string
	moved := func(current, before string, from, to float64) {
		if !c.names[current] && !c.names[before] {
			return
		}
		text := current + " " + decimal(to)
		if from != to {
			text = current + " " + decimal(from) + " -> " + decimal(to)
		}
		parts = append(parts, text)
	}
	moved("current_layer", "previous_layer", float64(previous.Layer), float64(now.Layer))
	moved("current_clarity", "previous_clarity", previous.Clarity, now.Clarity)
	moved("context_usage_percent", "previous_usage_percent", previous.Usage, now.Usage)

	said := func(name, value string) {
		if c.names[name] {
			parts = append(parts, name+" "+clip(value))
		}
	}
	said("command", change.Event.Command)
	if c.names["is_boss_decision"] && change.Event.BossDecision {
		parts = append(parts, "boss decision")
	} else if c.names["message"] {
		parts = append(parts, fmt.Sprintf("message of %d bytes", len(change.Event.Message)))
	}
	said("priority", change.Event.Priority)
	said("session_id", now.SessionID)
	said("layer_name", now.LayerName)
	said("status", now.Status)
	if parts == nil {
		return "the condition holds"
	}
	return strings.Join(parts, ", ")
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
