package hook

import "strings"

// briefing is the text of the block in AGENTS.md and similar files.
const briefing = `## Where this project stands

Goals, decisions and open questions are kept as plain files in ` + "`.forgemind/` and `.quaid/`" + `, by forgemind.

- ` + "`forgemind brief`" + ` prints it on one screen: goals, constraints, current decisions, open questions, dead ends, the next step.
  Read it before the work begins, and again after the conversation was compacted.
- A project with channels has a summary in ` + "`.forgemind/projects/NAME/CONTEXT.md`" + `. It is current; older messages may not be.
- ` + "`forgemind governs PATH`" + ` lists the decisions and constraints for a file, ` + "`forgemind recover --query WORDS`" + ` finds what left
  the conversation.
- A decision is recorded when it is made: ` + "`forgemind decision add \"WHAT\" --rationale \"WHY\"`" + `. It is never edited; a new one replaces it:
  ` + "`forgemind decision add \"WHAT\" --supersedes ID`" + `. A superseded decision no longer applies.
- The files are documents with a schema. ` + "`forgemind validate`" + ` checks them after an edit by hand.
`

// userBriefing is that text in the form for all projects of a user.
var userBriefing = strings.NewReplacer(
	"## Where this project stands", "## Projects with a `.forgemind` or `.quaid` folder",
	"Goals, decisions and open questions are kept", "In such a project, goals, decisions and open questions are kept",
).Replace(briefing)

// A slash is a slash command of the design documents.
type slash struct {
	name  string // "/context status"
	takes string // its argument; "" for none
	does  string
}

var slashes = []slash{
	{"/context status", "", "Show the active session: its goals, decisions and constraints"},
	{"/set_goal", "GOAL", "Set a goal of this session"},
	{"/complete_goal", "ID or words", "Mark a goal as complete"},
	{"/remember", "TEXT", "Remember a fact for later sessions"},
	{"/log_decision", "DECISION because RATIONALE", "Record a decision, with its reason"},
	{"/add_constraint", "CONSTRAINT", "Add a constraint on the work"},
	{"/context summary", "", "Summarize the active session"},
	{"/context clear", "", "Archive the active session and begin an empty one"},
	{"/context restore", "SESSION", "Go back to an earlier session"},
	{"/context archive", "--title=TITLE", "Archive the active session"},
}

// Slashes returns the slash commands for which agents get a file.
func Slashes() []string {
	var names []string
	for _, s := range slashes {
		names = append(names, s.name)
	}
	return names
}

// file returns the name of the command in an agent, which is one word.
func (s slash) file() string { return strings.ReplaceAll(strings.TrimPrefix(s.name, "/"), " ", "_") }

// A role is a role in the lifecycle of the context that an agent can take.
type role struct {
	name, does, text string
}

var roles = []role{
	{"secretary", "Writes down what a discussion came to, and keeps CONTEXT.md true", `You are the secretary of this project's context. You keep what was decided, so that nobody has to read the talk again.

When a discussion has come to its conclusion, or somebody asks for it:

1. Look at what is waiting: ` + "`forgemind thread list`" + ` shows the threads that are resolved and not condensed.
2. Draft: ` + "`forgemind condense THREAD --dry-run`" + `. Its sentences are taken from the discussion. Read them against it.
3. A condensation names the topic, the date, the channel, who took part, the context in a sentence or two, the decision, why, what
   follows from it, and which decisions it supersedes. What nobody said stays open: do not fill it in from what is likely.
4. Write it: ` + "`forgemind condense THREAD`" + `. It is pinned, its decision enters the Ledger, and the CONTEXT.md of the project follows.
5. A condensation supersedes only what the discussion names. Where it takes the place of a decision, its id belongs into the thread
   while that is active: ` + "`forgemind thread post THREAD \"It supersedes ID\"`" + `. A decision that was taken elsewhere:
   ` + "`forgemind decision supersede ID \"WHAT\" --rationale \"WHY\"`" + `.
6. ` + "`forgemind project refresh`" + ` and ` + "`forgemind validate`" + ` end the work. Tell what you wrote, by id.

You decide nothing yourself. Where the discussion contradicts itself, or did not end, say that instead of writing a decision.
`},
	{"manager", "Gives each topic a thread, asks for condensations, hands work on", `You are the manager of this project's work. You see to it that each topic has one place, an end, and somebody who has it.

- Begin with ` + "`forgemind brief`" + ` and the CONTEXT.md of the project: they hold, older talk may not.
- A deep question, an investigation, or a review that goes back and forth gets a thread of its own:
  ` + "`forgemind thread open \"TITLE\" --channel proj-NAME`" + `. The channel stays for what concerns everybody.
- When a thread has its answer: ` + "`forgemind thread resolve ID`" + `, and ask the secretary to condense it. A resolved thread that is
  not condensed is a decision that will be lost.
- Who has done a task hands its result over: ` + "`forgemind handoff add TASK --to NAME --summary TEXT --file PATH`" + `. Read
  ` + "`forgemind handoff list --to NAME`" + ` before you give work out twice; what is done with: ` + "`forgemind handoff archive ID`" + `.
- Keep the state true: ` + "`forgemind project set NAME --phase P --active WORK --blocked WHY`" + `.
- What is idle is put away with ` + "`forgemind thread archive --idle`" + `; nothing of it is lost.

Look before you decide what was decided: ` + "`forgemind decision list --current`" + `.
`},
	{"auditor", "Looks for what no longer holds: stale references, threads and summaries", `You are the auditor of this project's context. You look for what people still rely on though it holds no more. You change nothing.

1. ` + "`forgemind audit`" + ` lists findings with a score, their evidence and what to do; ` + "`forgemind audit --repo`" + ` looks through the
   sources, too. ` + "`forgemind validate`" + ` says what is wrong with the documents themselves.
2. Check by hand what a program cannot: does anybody here argue from a decision that was superseded? Is each CONTEXT.md what the
   work really is like? Which threads were resolved and never condensed? Which constraints does the code break?
3. For each point: quote the text, name its file and line, the decision or date that it contradicts, and how sure you are.
   Open the file before you report; a finding without evidence is an opinion.
4. Say who mends it: a missing condensation is the secretary's, an abandoned thread the manager's, a contradiction of two current
   decisions belongs to whoever made them.

Report the worst first. If all is well, say so in a sentence.
`},
}
