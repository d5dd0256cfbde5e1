// Plays what opencode 1.18.33 does around a plugin: a session with a tool call, a command that
// fails, an MCP tool, a subagent, a slash command, a compaction and an interruption. It prints
// what the model is told, one JSON object a line.
import { pathToFileURL } from "node:url"

const [plugin, directory] = process.argv.slice(2)
const sessions = { ses_1: {}, ses_2: { parentID: "ses_1" } }
const messages = []
const client = {
  session: {
    get: async ({ path }) => ({ data: sessions[path.id] }),
    messages: async () => ({ data: messages }),
  },
}
const { Forgemind } = await import(pathToFileURL(plugin))
const hooks = await Forgemind({ client, directory })
const show = (at, told) => console.log(JSON.stringify({ at, told }))

let n = 0
const ask = async (at, sessionID, ...texts) => {
  const id = `msg_${++n}`
  const parts = texts.map((part, i) => ({ id: `prt_${n}${i}`, sessionID, messageID: id, type: "text", ...part }))
  const given = parts.length
  await hooks["chat.message"]({ sessionID, agent: "general" }, { message: { id, sessionID, role: "user" }, parts })
  const added = parts.slice(given)
  for (const part of added)
    if (!part.synthetic || part.messageID !== id || part.sessionID !== sessionID || part.id <= `prt_${n}${given - 1}`) throw new Error(JSON.stringify(part))
  if (sessionID === "ses_1") messages.push({ info: { id, role: "user" }, parts })
  show(at, added.map((part) => part.text).join("\n"))
}
const call = async (at, sessionID, tool, args, output) => {
  await hooks["tool.execute.before"]({ tool, sessionID, callID: "c" }, { args })
  if (output) await hooks["tool.execute.after"]({ tool, sessionID, callID: "c", args }, output)
  show(at, JSON.stringify(output ?? ""))
}
const answer = (text, more = {}) =>
  messages.push({ info: { id: `msg_${++n}`, role: "assistant", tokens: { input: 100, output: 20, reasoning: 0, cache: { read: 3, write: 0 } }, ...more }, parts: [{ type: "text", text }] })
const event = (type, properties) => hooks.event({ event: { type, properties } })

await event("session.created", { info: { id: "ses_1" } })
await ask("prompt", "ses_1", { text: '"Which mortar has it?"' }, { text: "<file>", synthetic: true })
await hooks["chat.params"]({ sessionID: "ses_1", model: { limit: { context: 1000 } } })
await call("read", "ses_1", "read", { filePath: directory + "/walls/south.md" }, { output: "lime" })
await call("edit", "ses_1", "edit", { filePath: directory + "/walls/south.md" }, { output: "done" })
await call("question", "ses_1", "question", { questions: [{ question: "Which pear?" }, { question: "When?" }] }, { output: "User has answered", metadata: { answers: [["Comice"], []] } })
await call("command", "ses_1", "bash", { command: "make wall" }, { output: "no rule", metadata: { exit: 2, output: "no rule" } })
answer("We decided to use lime.")
await event("session.idle", { sessionID: "ses_1" })
await event("session.created", { info: { id: "ses_2", parentID: "ses_1" } })
await ask("subagent", "ses_2", { text: "Look at the wall." })
await event("session.idle", { sessionID: "ses_2" })
const template = { type: "text", text: "Run this, and say in a sentence what it printed" }
await hooks["command.execute.before"]({ command: "another", sessionID: "ses_1", arguments: "" }, { parts: [{ type: "text", text: "Not sent" }] })
await hooks["command.execute.before"]({ command: "set_goal", sessionID: "ses_1", arguments: "Plant pears" }, { parts: [template] })
await ask("slash command", "ses_1", template)
answer("It is set.")
await event("session.idle", { sessionID: "ses_1" })
await hooks["experimental.session.compacting"]({ sessionID: "ses_1" }, { context: [] })
answer("The wall has lime.", { summary: true, tokens: undefined })
await event("session.compacted", { sessionID: "ses_1" })
await event("session.idle", { sessionID: "ses_1" })
await ask("after the compaction", "ses_1", { text: "Go on." })
await call("MCP tool", "ses_1", "garden_frost", {}, { content: [{ type: "text", text: "late" }] })
await ask("notice", "ses_1", { text: "A plugin says this.", ignored: true })
answer("I begin.")
await ask("while it works", "ses_1", { text: "And the gate." })
answer("The gate is oak.")
await event("session.idle", { sessionID: "ses_1" })
await ask("before a compaction", "ses_1", { text: "Look again." })
await hooks["experimental.session.compacting"]({ sessionID: "ses_1" }, { context: [] })
await event("session.compacted", { sessionID: "ses_1" })
await call("in a compacted turn", "ses_1", "read", { filePath: directory + "/walls/south.md" }, { output: "lime" })
await event("message.removed", { sessionID: "ses_1", messageID: "msg_1" })
await ask("after an undo", "ses_1", { text: "Go on again." })
await event("session.error", { sessionID: "ses_1", error: { name: "MessageAbortedError" } })
await event("session.error", {})
await hooks["chat.message"]({}, {}) // what no version sends must not break a prompt
await hooks.dispose()
