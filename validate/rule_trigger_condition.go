package validate

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/triggers"
)

var triggerCondition = Rule{
	Name:     "trigger-condition",
	Severity: Error,
	Summary:  "A trigger's condition that is not admitted.",
	Help: `The condition of a refresh trigger in config.json can't be compiled, or uses more
than conditions may: names, literals, comparison, arithmetic, AND OR NOT, abs() and
is_boss_decision(). Anything else could run for ever.

Names: current_layer previous_layer current_clarity previous_clarity
context_usage_percent previous_usage_percent command message priority session_id
layer_name status. Names of what happens: message_requests_condensation
thread_idle_days project_changed user_prompted session_messages
messages_since_summary messages_since_cluster messages_since_archive
session_usage_percent.

A trigger with such a condition never fires, nor does one behind the first 500.

Wrong:

    "condition": "current_layer <> previous_layer"
    "condition": "all(1..9999, # > 0)"

Right:

    "condition": "current_layer != previous_layer"

To mend it, correct the condition at the place of the finding.
`,
	record: func(d *document) {
		n := 0
		for t := range d.triggers {
			if n++; n > triggers.MaxTriggers {
				d.at(t, fmt.Sprintf("more than %d triggers: the rest never fire", triggers.MaxTriggers), "keep those that are needed")
				return
			}
			condition := d.tape.Member(t, "condition")
			text := d.text(condition)
			if text == nil {
				continue
			}
			_, err := triggers.Compile(d.str(condition))
			if err == nil {
				continue
			}
			msg, offset := err.Error(), 0
			if e, ok := errors.AsType[*triggers.ConditionError](err); ok {
				msg = e.Msg
				// An escape moves the text after it, so the offset is the beginning of
				// the condition.
				if !bytes.ContainsRune(text, '\\') {
					offset = 1 + min(e.Offset, len(text))
				}
			}
			d.report(int(d.tape.Nodes[condition].Start)+offset, d.tape.Pointer(condition), msg,
				"forgemind explain trigger-condition says what a condition may hold")
		}
	},
}

// triggers yields the triggers of a config.
func (d *document) triggers(yield func(int) bool) {
	if d.kind != fs.DocConfig || !d.parsed() {
		return
	}
	list := d.tape.Member(0, "refresh_triggers")
	for t := d.first(list); t >= 0; t = d.next(t) {
		if !yield(t) {
			return
		}
	}
}
