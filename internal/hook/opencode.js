// Tells forgemind what happens in opencode, and the model what forgemind answers. It starts that
// one program, and fails silently without it.
import { spawn } from "node:child_process"

const program = "forgemind"
const limit = 10_000 // milliseconds that an answer may take
const changing = ["apply_patch", "edit", "multiedit", "patch", "write"]
const watched = [...changing, "bash", "read", "task"]

// ask returns what forgemind has to say at an event; "" for nothing, also where it fails.
function ask(cwd, event, payload) {
  return new Promise((resolve) => {
    const child = spawn(program, ["hook", "run", "--agent", "opencode", event], {
      cwd, stdio: ["pipe", "pipe", "ignore"], timeout: limit, windowsHide: true,
    })
    let said = ""
    child.stdout.setEncoding("utf8").on("data", (text) => (said += text))
    child.on("error", () => resolve(""))
    child.on("close", () => {
      try {
        resolve(JSON.parse(said).additionalContext ?? "")
      } catch {
        resolve("")
      }
    })
    child.stdin.on("error", () => {}) // it is gone already
    child.stdin.end(JSON.stringify({ cwd, ...payload }))
  })
}

// quiet returns a hook that does not fail: an error would end the user's prompt.
const quiet = (hook) => async (...given) => {
  try {
    await hook(...given)
  } catch {}
}

// words returns the texts of parts that nobody but the user, or the model, wrote.
const words = (parts) => parts.filter((p) => p.type === "text" && !p.synthetic).map((p) => p.text.trim()).filter(Boolean)

export const Forgemind = async ({ client, directory }) => {
  const parents = new Map() // of a session: that of the agent which started it, "" for none
  const created = new Set() // sessions that began in this process
  const begun = new Set() // sessions that forgemind knows of
  const called = new Map() // of a session: the slash command that the user typed
  const limits = new Map() // of a session: tokens that the model's window holds
  const told = new Map() // of a session: the last message that forgemind was told
  const due = new Map() // of a session: what the model is to be told next
  let working = Promise.resolve() // at events, one after the other

  const run = (event, payload) => ask(directory, event, payload)
  const later = (work) => (working = working.then(quiet(work)))

  const parentOf = async (id) => {
    if (!parents.has(id)) parents.set(id, (await client.session.get({ path: { id } })).data?.parentID ?? "")
    return parents.get(id)
  }
  // whose says which session is meant: what a subagent does is done in the session of the user.
  const whose = async (id) => {
    let top = id
    for (let parent; (parent = await parentOf(top)); ) top = parent
    return top === id ? { session_id: id } : { session_id: top, agent_id: id }
  }

  const begin = (id, source) => {
    begun.add(id)
    return run("SessionStart", { session_id: id, source })
  }
  const take = (id) => {
    const texts = due.get(id) ?? []
    due.delete(id)
    return texts
  }

  // answered tells what the model said since the last prompt, and how full its window is.
  const answered = async (id) => {
    if (await parentOf(id)) return
    const { data } = await client.session.messages({ path: { id } })
    const from = data.findLastIndex((m) => m.info.id === told.get(id) || (m.info.role === "user" && words(m.parts).length > 0))
    const turn = data.slice(from + 1).filter((m) => m.info.role === "assistant" && !m.info.summary)
    if (turn.length === 0) return
    const { id: last, tokens: used } = turn.at(-1).info
    told.set(id, last)
    await run("Stop", {
      session_id: id,
      last_assistant_message: turn.flatMap((m) => words(m.parts)).join("\n\n"),
      context_tokens: used && used.input + used.output + used.reasoning + used.cache.read + used.cache.write,
      context_window_size: limits.get(id),
    })
  }

  return {
    "command.execute.before": quiet(async ({ command, sessionID, arguments: given }) => {
      called.set(sessionID, `/${command} ${given ?? ""}`.trim())
    }),

    "chat.message": quiet(async ({ agent }, { message, parts }) => {
      await working
      const id = message.sessionID
      const prompt = called.get(id) ?? words(parts).join("\n")
      called.delete(id)
      const who = await whose(id)
      const texts = take(id)
      if (who.agent_id) {
        texts.push(await run("SubagentStart", { ...who, agent_type: agent }))
      } else {
        if (!begun.has(id)) texts.push(await begin(id, created.has(id) ? "startup" : "resume"))
        if (prompt) texts.push(await run("UserPromptSubmit", { ...who, prompt, prompt_id: message.id }))
      }
      const text = texts.filter(Boolean).join("\n\n")
      const last = parts.map((p) => p.id).sort().at(-1)
      if (text && last) // parts stand in the order of their ids
        parts.push({ id: last + "z", sessionID: id, messageID: message.id, type: "text", text, synthetic: true })
    }),

    "chat.params": quiet(async ({ sessionID, model }) => {
      if (model?.limit?.context) limits.set(sessionID, model.limit.context)
    }),

    "tool.execute.before": quiet(async ({ tool, sessionID }, { args }) => {
      if (!watched.includes(tool)) return
      const text = await run("PreToolUse", { ...(await whose(sessionID)), tool_name: tool, tool_input: args })
      if (text) due.set(sessionID, [...take(sessionID), text]) // it is told with the result
    }),

    "tool.execute.after": quiet(async ({ tool, sessionID, args }, output) => {
      const texts = take(sessionID).filter(Boolean)
      if (texts.length > 0) {
        const text = `<forgemind>\n${texts.join("\n\n")}\n</forgemind>`
        if (Array.isArray(output.content)) output.content.push({ type: "text", text }) // of an MCP server
        else output.output += "\n\n" + text
      }
      const event = { ...(await whose(sessionID)), tool_name: tool, tool_input: args }
      if (changing.includes(tool)) await run("PostToolUse", event)
      else if (tool === "bash" && output.metadata?.exit > 0) await run("PostToolUseFailure", { ...event, error: output.metadata.output })
    }),

    "experimental.session.compacting": quiet(async ({ sessionID }) => {
      await working
      await run("PreCompact", { ...(await whose(sessionID)), trigger: "auto" })
    }),

    event: quiet(async ({ event: { type, properties: at } }) => {
      switch (type) {
        case "session.created":
          created.add(at.info.id)
          parents.set(at.info.id, at.info.parentID ?? "")
          break
        case "session.idle":
          later(() => answered(at.sessionID))
          break
        case "session.error":
          later(async () => {
            if (!at.sessionID || (await parentOf(at.sessionID))) return
            await run(at.error?.name === "MessageAbortedError" ? "Interrupt" : "StopFailure", { session_id: at.sessionID })
          })
          break
        case "session.compacted":
          later(async () => {
            const who = await whose(at.sessionID)
            await run("PostCompact", who)
            if (!who.agent_id) due.set(at.sessionID, [...take(at.sessionID), await begin(at.sessionID, "compact")])
          })
          break
      }
    }),

    dispose: quiet(async () => {
      await working
      await Promise.all([...begun].map((id) => run("SessionEnd", { session_id: id, reason: "exit" })))
    }),
  }
}
