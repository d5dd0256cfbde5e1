// Speaks to `forgemind mcp` as agents do that are written in JavaScript: by the
// TypeScript SDK of the first era, which most of them have, and by that of both
// eras. node client.mjs FORGEMIND TREE
import assert from "node:assert/strict";
import { Client as First } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Client as Second } from "@modelcontextprotocol/client";
import { StdioClientTransport as SecondTransport } from "@modelcontextprotocol/client/stdio";

const [program, tree] = process.argv.slice(2);
const about = { name: "second client", version: "1" };
let checks = 0;
const check = (is, what) => (checks++, assert.ok(is, what));
const text = (result) => result.content.map((c) => c.text).join("\n");
const fails = (promise, says) => (checks++, assert.rejects(promise, says));

const clients = {
  "sdk 1": () => [new First(about), FirstTransport],
  "client 2, first era": () => [new Second(about, { versionNegotiation: { mode: "legacy" } }), SecondTransport],
  "client 2, second era": () => [new Second(about, { versionNegotiation: { mode: { pin: "2026-07-28" } } }), SecondTransport],
};

for (const [name, make] of Object.entries(clients)) {
  for (const flags of [[], ["--allow-writes"]]) {
    const [client, Transport] = make();
    await client.connect(new Transport({ command: program, args: ["mcp", "--tree", tree, ...flags], stderr: "inherit" }));
    try {
      await play(client, flags.length > 0);
    } catch (error) {
      console.error(`${name} ${flags}:`);
      throw error;
    } finally {
      await client.close();
    }
    console.log(`${name} ${flags}: ok`);
  }
}
console.log(`${checks} checks`);

async function play(client, writes) {
  const call = (name, args) => client.callTool({ name, arguments: args ?? {} }); // it holds results to their output schemas
  check(client.getServerVersion().name === "forgemind", "name");
  check(client.getInstructions().includes("call brief"), "instructions");
  const { tools } = await client.listTools();
  check(tools.length === (writes ? 17 : 10), `tools: ${tools.map((t) => t.name)}`);
  check(tools.filter((t) => t.annotations.readOnlyHint).length === 10, "annotations");
  const args = { search: { query: "pears" }, recover: { query: "pears" }, governs: { path: "walls/south.md" } };
  for (const tool of tools.filter((t) => t.annotations.readOnlyHint)) {
    const result = await call(tool.name, args[tool.name]);
    check(!result.isError && text(result).length > 0, `${tool.name}: ${text(result)}`);
    check(Boolean(tool.outputSchema) === (result.structuredContent !== undefined), `${tool.name}: structured content`);
  }
  check((await call("decision_list")).structuredContent.decisions[0].id.startsWith("DEC-"), "ids");
  const wrong = await call("search", { qeury: "pears" });
  check(wrong.isError && text(wrong).includes("did you mean query?"), "an error says what to do");
  await fails(call("no_such_tool"), /there is no tool/);
  const add = await call("decision_add", { decision: "Plant quinces", rationale: "they keep" });
  check(Boolean(add.isError) !== writes, text(add));
  check(writes ? add.structuredContent.id.startsWith("DEC-") : text(add).includes("--allow-writes"), text(add));

  const { resources } = await client.listResources();
  check(resources.some((r) => r.uri === "forgemind://state"), "resources");
  const state = await client.readResource({ uri: "forgemind://state" });
  check(JSON.parse(state.contents[0].text).project, "state");
  const { resourceTemplates } = await client.listResourceTemplates();
  check(resourceTemplates.some((t) => t.uriTemplate === "forgemind://decision/{id}"), "templates");
  const decision = resources.find((r) => r.uri.startsWith("forgemind://decision/"));
  check(JSON.parse((await client.readResource({ uri: decision.uri })).contents[0].text).immutable, "decision");
  await fails(client.readResource({ uri: "forgemind://note/../../secret" }), /there is no resource/);

  const { prompts } = await client.listPrompts();
  check(prompts.length === 11, `prompts: ${prompts.map((p) => p.name)}`);
  const goal = await client.getPrompt({ name: "set_goal", arguments: { goal: "Plant pears" } });
  check(goal.messages[0].content.text.includes(writes ? "Plant pears" : "--allow-writes"), "prompt");
  await fails(client.getPrompt({ name: "set_goal", arguments: {} }), /needs goal/);
}
