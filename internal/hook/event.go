package hook

import "strings"

// A moment is what an event of an agent means to us.
type moment string

const (
	begins    moment = "session start"
	prompted  moment = "prompt"
	asking    moment = "before the answer" // of those who ask before each request
	working   moment = "before tool use"
	worked    moment = "tool use"
	failed    moment = "tool failure"
	delegated moment = "subagent start"
	compacts  moment = "before compaction"
	compacted moment = "after compaction"
	answered  moment = "stop"
	broken    moment = "stop without an answer"
	ends      moment = "session end"
	unknown   moment = ""
)

// isIdle reports whether an event asks for nothing: the Gemini CLI runs PreCompress
// before every request, with the trigger auto, whether or not it compresses.
func isIdle(event, trigger string) bool {
	return lettersOf(event) == "precompress" && trigger != "manual"
}

// momentOf is what the event of that name means, whatever its case and its dashes:
// agents name the same differently.
func momentOf(event string) moment {
	switch lettersOf(event) {
	case "sessionstart":
		return begins
	case "userpromptsubmit", "beforesubmitprompt", "beforeagent", "userpromptsubmitted", "messagereceived":
		return prompted
	case "preresponse":
		return asking
	case "pretooluse":
		return working
	case "posttooluse", "afterfileedit", "aftertool":
		return worked
	case "posttoolusefailure":
		return failed
	case "subagentstart":
		return delegated
	case "precompact", "precompress":
		return compacts
	case "postcompact":
		return compacted
	case "stop", "agentstop", "afteragent", "afteragentresponse", "postresponse":
		return answered
	case "stopfailure", "interrupt":
		return broken
	case "sessionend":
		return ends
	}
	return unknown
}

// lettersOf is the name of an event in small letters, without dashes.
func lettersOf(event string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z':
			return r
		}
		return -1
	}, event)
}
