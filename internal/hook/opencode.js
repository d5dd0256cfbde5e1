// Tells forgemind what happens in opencode, and the model what forgemind answers. It starts that
// one program, and fails silently without it.
import { spawn } from "node:child_process"

const program = "forgemind"
const limit = 5_000 // milliseconds that an answer may take; forgemind itself takes two seconds at most
const pause = 60_000 // milliseconds without a question after one that took longer
const longest = 100_000 // characters of an answer
const changing = ["apply_patch", "edit", "multiedit", "patch", "write"]
const watched = [...changing, "bash", "read", "task"]
const inner = ["compaction", "summary", "title"] // opencode's own agents

let resting = 0 // until when nothing is asked

// ask returns what forgemind has to say at an event; "" for nothing, also where it fails.
function ask(cwd, event, payload) {
  return new Promise((resolve) => {
    if (Date.now() < resting) return resolve("")
    const child = spawn(program, ["hook", "run", "--agent", "opencode", event], { cwd, stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
    let said = ""
    const done = (text) => {
      clearTimeout(timer)
      resolve(text)
    }
    const stop = () => {
      resting = Date.now() + pause
      child.kill("SIGKILL")
      child.stdout?.destroy()
      done("")
    }
    const timer = setTimeout(stop, limit)
    child.on("error", () => done(""))
    child.on("close", () => done(textOf(said)))
    child.stdin?.on("error", () => {}) // it is gone already
    child.stdout?.setEncoding("utf8")
    child.stdout?.on("data", (text) => {
      said += text
      if (said.length > longest) stop()
    })
    child.stdin?.end(JSON.stringify({ cwd, ...payload }))
  }).catch(() => "")
}

// textOf returns the text of an answer; "" where it is none.
function textOf(answer) {
  try {
    const text = JSON.parse(answer).additionalContext
    return typeof text === "string" ? text : ""
  } catch {
    return ""
  }
}

// quiet returns a hook that does not fail: an error would end the user's prompt.
const quiet = (hook) => async (...given) => {
  try {
    await hook(...given)
  } catch {}
}

// written reports whether a part is of the user, or of the model, and not of opencode or a plugin.
const written = (part) => !part.synthetic && !part.ignored

// words returns the texts of parts.
const words = (parts) => parts.filter((p) => p.type === "text" && written(p)).map((p) => p.text.trim()).filter(Boolean)

// replies returns what a tool asked the user, and the answers.
const replies = (questions, answers) =>
  questions
    .map((q, i) => [q.question, (answers[i] ?? []).filter(Boolean)])
    .filter(([, given]) => given.length)
    .map(([question, given]) => `Q: ${question}\nA: ${given.join(", ")}`)
    .join("\n\n")

// append adds texts to what a tool gave, and reports whether it could.
function append(output, texts) {
  const text = `<forgemind>\n${texts.join("\n\n")}\n</forgemind>`
  if (Array.isArray(output.content)) output.content.push({ type: "text", text }) // of an MCP server
  else if (typeof output.output === "string") output.output += "\n\n" + text
  else return false
  return true
}

export const Forgemind = async ({ client, directory }) => {
  const parents = new Map() // of a session: that of the agent which started it, "" for none
  const created = new Set() // sessions that began in this process
  const begun = new Set() // sessions that forgemind knows of
  const lost = new Map() // of a session whose window lacks what it was told: why
  const called = new Map() // of a session: the slash command that the user typed
  const limits = new Map() // of a session: tokens that the model's window holds
  const asked = new Map() // of a session: the first prompt that is not answered yet
  const due = new Map() // of a session: what the model is to be told next
  const turns = new Map() // of a session: its last prompt
  const telling = new Map() // of a session: prompts in whose turn the model was told something
  const working = new Map() // of a session: what is done at its events, one after the other

  const run = (event, payload) => ask(directory, event, payload)
  const later = (id, work) => working.set(id, (working.get(id) ?? Promise.resolve()).then(quiet(work)))

  const parentOf = async (id) => {
    if (!parents.has(id)) {
      const { data } = await client.session.get({ path: { id } })
      if (!data) return ""
      parents.set(id, data.parentID ?? "")
    }
    return parents.get(id)
  }
  // whose says which session is meant: what a subagent does is done in the session of the user.
  const whose = async (id) => {
    let top = id
    for (let parent; (parent = await parentOf(top)); ) top = parent
    return top === id ? { session_id: id } : { session_id: top, agent_id: id }
  }

  const tell = (id, text) => {
    if (text) due.set(id, [...(due.get(id) ?? []), text])
  }
  // begin begins a session, or a window of it. It is called where the model can be told at once,
  // for the process may end before the next prompt.
  const begin = async (id) => {
    const source = lost.get(id) ?? (created.has(id) ? "startup" : "resume")
    begun.add(id)
    lost.delete(id)
    tell(id, await run("SessionStart", { session_id: id, source }))
  }
  // told notes that the model was told what was due.
  const told = (id) => {
    due.delete(id)
    telling.set(id, (telling.get(id) ?? new Set()).add(turns.get(id)))
  }

  // answered tells what the model said since the last answer, and how full its window is.
  const answered = async (id) => {
    if (await parentOf(id)) return
    const { data } = await client.session.messages({ path: { id } })
    const from = data.findIndex((m) => m.info.id === asked.get(id))
    const turn = from < 0 ? [] : data.slice(from + 1).filter((m) => m.info.role === "assistant" && !m.info.summary)
    if (turn.length === 0) return
    asked.delete(id)
    const used = turn.at(-1).info.tokens ?? {}
    await run("Stop", {
      session_id: id,
      last_assistant_message: turn.flatMap((m) => words(m.parts)).join("\n\n"),
      context_tokens: (used.input ?? 0) + (used.output ?? 0) + (used.reasoning ?? 0) + (used.cache?.read ?? 0) + (used.cache?.write ?? 0),
      context_window_size: limits.get(id),
    })
  }

  const happened = {
    "session.created": ({ info }) => {
      created.add(info.id)
      parents.set(info.id, info.parentID ?? "")
    },
    "session.idle": ({ sessionID }) => later(sessionID, () => answered(sessionID)),
    "session.error": ({ sessionID, error }) =>
      sessionID &&
      later(sessionID, async () => {
        if (!(await parentOf(sessionID))) await run(error?.name === "MessageAbortedError" ? "Interrupt" : "StopFailure", { session_id: sessionID })
      }),
    "session.compacted": ({ sessionID }) =>
      later(sessionID, async () => {
        const who = await whose(sessionID)
        await run("PostCompact", who)
        if (who.agent_id) return
        begun.add(sessionID)
        lost.set(sessionID, "compact")
      }),
    "session.deleted": ({ info }) =>
      begun.delete(info.id) && later(info.id, () => run("SessionEnd", { session_id: info.id, reason: "deleted" })),
    "message.removed": ({ sessionID, messageID }) => {
      if (telling.get(sessionID)?.delete(messageID)) lost.set(sessionID, "rewind")
    },
  }

  return {
    "command.execute.before": quiet(({ command, sessionID, arguments: given }, { parts }) => {
      called.set(sessionID, { typed: `/${command} ${given ?? ""}`.trim(), text: words(parts).join("\n") })
    }),

    "chat.message": quiet(async ({ agent }, { message, parts }) => {
      const id = message.sessionID
      await working.get(id)
      const last = parts.map((p) => p.id).sort().at(-1)
      if (!last || !parts.some(written)) return
      const text = words(parts).join("\n")
      const command = called.get(id)
      called.delete(id)
      const prompt = command?.text === text ? command.typed : text
      const who = await whose(id)
      turns.set(id, message.id)
      if (who.agent_id) {
        tell(id, await run("SubagentStart", { ...who, agent_type: agent }))
      } else {
        if (!asked.has(id)) asked.set(id, message.id)
        if (!begun.has(id) || lost.has(id)) await begin(id)
        if (prompt) tell(id, await run("UserPromptSubmit", { ...who, prompt, prompt_id: message.id }))
      }
      if (!due.has(id)) return
      // Parts stand in the order of their ids.
      parts.push({ id: last + "z", sessionID: id, messageID: message.id, type: "text", text: due.get(id).join("\n\n"), synthetic: true })
      told(id)
    }),

    "chat.params": quiet(({ sessionID, agent, model }) => {
      if (model.limit?.context && !inner.includes(agent?.name ?? agent)) limits.set(sessionID, model.limit.context)
    }),

    "tool.execute.before": quiet(async ({ tool, sessionID }, { args }) => {
      await working.get(sessionID)
      if (lost.has(sessionID)) await begin(sessionID) // told with the result
      if (!watched.includes(tool)) return
      tell(sessionID, await run("PreToolUse", { ...(await whose(sessionID)), tool_name: tool, tool_input: args }))
    }),

    "tool.execute.after": quiet(async ({ tool, sessionID, args }, output) => {
      const failed = tool === "bash" && output.metadata?.exit > 0 && output.output
      if (due.has(sessionID) && append(output, due.get(sessionID))) told(sessionID)
      const event = { ...(await whose(sessionID)), tool_name: tool, tool_input: args }
      const reply = tool === "question" && replies(args.questions, output.metadata.answers)
      if (changing.includes(tool)) await run("PostToolUse", event)
      else if (reply) await run("PostToolUse", { ...event, tool_response: reply })
      else if (failed) await run("PostToolUseFailure", { ...event, error: failed })
    }),

    "experimental.session.compacting": quiet(async ({ sessionID }) => {
      await working.get(sessionID)
      await run("PreCompact", await whose(sessionID))
    }),

    event: quiet(({ event }) => happened[event.type]?.(event.properties)),

    dispose: quiet(async () => {
      await Promise.all(working.values())
      for (const id of begun) await run("SessionEnd", { session_id: id, reason: "exit" })
    }),
  }
}
