package hook

import "strings"

// A moment is the meaning of an agent's event.
type moment string

const (
	begins    moment = "session start"
	prompted  moment = "prompt"
	asking    moment = "before the answer" // for agents that ask before each request
	edits     moment = "before tool use"
	worked    moment = "tool use"
	compacts  moment = "before compaction"
	compacted moment = "after compaction"
	answered  moment = "stop"
	ends      moment = "session end"
	unknown   moment = ""
)

// isIdle reports whether an event needs no answer. The Gemini CLI runs PreCompress with the trigger
// auto before every request, whether or not it compresses.
func isIdle(event, trigger string) bool {
	return lettersOf(event) == "precompress" && trigger != "manual"
}

// momentOf returns the meaning of an event name. It ignores case and dashes, because agents spell
// the same event differently.
func momentOf(event string) moment {
	switch lettersOf(event) {
	case "sessionstart":
		return begins
	case "userpromptsubmit", "beforesubmitprompt", "beforeagent", "userpromptsubmitted", "messagereceived":
		return prompted
	case "preresponse":
		return asking
	case "pretooluse":
		return edits
	case "posttooluse", "afterfileedit", "aftertool":
		return worked
	case "precompact", "precompress":
		return compacts
	case "postcompact":
		return compacted
	case "stop", "agentstop", "afteragent", "afteragentresponse", "postresponse":
		return answered
	case "sessionend":
		return ends
	}
	return unknown
}

// lettersOf returns the name of an event in lower case without dashes.
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
