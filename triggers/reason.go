package triggers

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// reason returns, for people, why the condition is true: the values of its names.
func (c *Condition) reason(previous Previous, change Change) string {
	now := change.Now
	var parts []string
	addNumber := func(current, before string, from, to float64) {
		if !c.names[current] && !c.names[before] {
			return
		}
		text := current + " " + decimal(to)
		if from != to {
			text = current + " " + decimal(from) + " -> " + decimal(to)
		}
		parts = append(parts, text)
	}
	addNumber("current_layer", "previous_layer", float64(previous.Layer), float64(now.Layer))
	addNumber("current_clarity", "previous_clarity", previous.Clarity, now.Clarity)
	addNumber("context_usage_percent", "previous_usage_percent", previous.Usage, now.Usage)

	addText := func(name, value string) {
		if c.names[name] {
			parts = append(parts, name+" "+quoteShort(value))
		}
	}
	addText("command", change.Event.Command)
	if c.names["is_boss_decision"] && change.Event.BossDecision {
		parts = append(parts, "boss decision")
	} else if c.names["message"] {
		parts = append(parts, fmt.Sprintf("message of %d bytes", len(change.Event.Message)))
	}
	addText("priority", change.Event.Priority)
	addText("session_id", now.SessionID)
	addText("layer_name", now.LayerName)
	addText("status", now.Status)
	for _, name := range c.facts {
		switch v := change.Facts[name].(type) {
		case float64:
			parts = append(parts, name+" "+decimal(v))
		case bool:
			parts = append(parts, name)
		}
	}
	if parts == nil {
		return "the condition is true"
	}
	return strings.Join(parts, ", ")
}

// decimal returns f with at most two decimals.
func decimal(f float64) string { return strconv.FormatFloat(math.Round(f*100)/100, 'f', -1, 64) }
