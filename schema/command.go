package schema

// A Command is a command that can be offered. Availability is its condition: `always`,
// `when_clarity_below_N`, `when_layer_above_N`, `when_<type>_loaded`.
type Command struct {
	Command      string `json:"command"`
	Description  string `json:"description"`
	Availability string `json:"availability"`
}

// DefaultCommands returns the commands that apply if config.json lists none.
func DefaultCommands() []Command {
	return []Command{
		{"facilitator status", "Show project status", "always"},
		{"facilitator clarify", "Start clarify session", "when_clarity_below_90"},
		{"facilitator update idea", "Update IDEA file", "when_idea_loaded"},
		{"facilitator backtrack", "Return to previous layer", "when_layer_above_0"},
	}
}
