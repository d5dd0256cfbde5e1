package schema

// A Command is one that can be offered. Availability says when: `always`,
// `when_clarity_below_N`, `when_layer_above_N`, `when_<type>_loaded`.
type Command struct {
	Command      string `json:"command"`
	Description  string `json:"description"`
	Availability string `json:"availability"`
}

// DefaultCommands is the catalogue that holds where config.json has none.
func DefaultCommands() []Command {
	return []Command{
		{"facilitator status", "Show project status", "always"},
		{"facilitator clarify", "Start clarify session", "when_clarity_below_90"},
		{"facilitator update idea", "Update IDEA file", "when_idea_loaded"},
		{"facilitator backtrack", "Return to previous layer", "when_layer_above_0"},
	}
}
