package transcript

import (
	"encoding/json"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// How Claude Code words what the user did with a tool.
const (
	refused  = "The user doesn't want to proceed with this tool use."
	becauses = "the user said:\n"
	planned  = "User has approved"
	plan     = "## Approved Plan:\n"
)

// claudeResult is the message of a tool's result, or that of the user in it:
// the answers to questions, the word about a plan, the reason for a refusal.
func claudeResult(m schema.Message, b block, call calling, result json.RawMessage) schema.Message {
	text := textOf(b.Content)
	switch {
	case b.IsError && strings.HasPrefix(text, refused) && refusal(call.tool, result):
		said := "The user refused " + call.tool
		if _, why, ok := strings.Cut(text, becauses); ok {
			why, _, _ = strings.Cut(why, "\n\nNote: The user's next message")
			said += ": " + strings.TrimSpace(why)
		}
		return answerOf(m, call.tool, said)
	case Asks(call.tool) && !b.IsError:
		if answers := claudeAnswers(result); answers != "" {
			text = answers
		}
		return answerOf(m, call.tool, text)
	case (call.tool == "ExitPlanMode" || call.tool == "exit_plan_mode") && !b.IsError && strings.HasPrefix(text, planned):
		var of struct {
			Plan string `json:"plan"`
		}
		if jsonedit.Decode(result, &of) != nil || of.Plan == "" {
			if _, of.Plan, _ = strings.Cut(text, plan); of.Plan == "" {
				_ = jsonedit.Decode(call.input, &of)
			}
		}
		return answerOf(m, call.tool, strings.TrimSpace("The user approved the plan:\n"+of.Plan))
	}
	return resultOf(m, call.gave(b.IsError), text)
}

// refusal says whether it was the user who refused a tool, and not the tool that says
// so: what Claude Code itself notes beside the result tells, and a server's tool can
// fail with any words.
func refusal(tool string, result json.RawMessage) bool {
	const theUsers, begin = "User rejected tool use", "The user doesn't want to proceed"
	noted := str(result)
	if noted == theUsers {
		return true
	}
	return !strings.HasPrefix(tool, "mcp__") && (len(result) == 0 || strings.HasPrefix(noted, "Error: "+begin))
}

// claudeAnswers are the questions that were asked and what the user answered,
// with notes, in the order they were asked.
func claudeAnswers(result json.RawMessage) string {
	var asked struct {
		Questions []struct {
			Question string `json:"question"`
		} `json:"questions"`
		Answers     map[string]json.RawMessage `json:"answers"`
		Annotations map[string]struct {
			Notes string `json:"notes"`
		} `json:"annotations"`
	}
	if len(result) == 0 || jsonedit.Decode(result, &asked) != nil {
		return ""
	}
	var out []string
	for _, q := range asked.Questions {
		answer := answerText(asked.Answers[q.Question])
		if notes := asked.Annotations[q.Question].Notes; notes != "" {
			answer = strings.TrimSpace(answer + "\n" + notes)
		}
		if answer != "" {
			out = append(out, "Q: "+q.Question+"\nA: "+answer)
		}
	}
	if len(out) < len(asked.Answers) { // to what was not asked so: nothing is left out
		return ""
	}
	return strings.Join(out, "\n\n")
}

// answerText is an answer: one text, or several.
func answerText(raw json.RawMessage) string {
	var several []string
	if len(raw) > 0 && raw[0] == '[' && jsonedit.Decode(raw, &several) == nil {
		return strings.Join(several, ", ")
	}
	if len(raw) > 0 && raw[0] == '{' {
		var in struct {
			Answers json.RawMessage `json:"answers"`
		}
		if jsonedit.Decode(raw, &in) == nil && len(in.Answers) > 0 && in.Answers[0] != '{' {
			return answerText(in.Answers)
		}
		return compactJSON(raw)
	}
	return str(raw)
}
