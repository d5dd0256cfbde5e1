"use strict";

const standing = { active: "holds", resolved: "warning", archived: "past" };

// steps is how far a thread came: opened, resolved, condensed, archived.
function steps(t) {
  const resolved = t.status !== "active";
  const reached = [true, resolved, Boolean(t.condensation), t.status === "archived"];
  return v("svg", { class: "steps", viewBox: "0 0 92 16", width: 92, height: 16, "aria-hidden": "true" },
    v("line", { class: "grid", x1: 8, x2: 84, y1: 8, y2: 8 }),
    reached.map((there, i) => v("circle", { class: there ? "step there" : i === 2 && resolved ? "step wanted" : "step", cx: 8 + i * 25.3, cy: 8, r: there ? 5 : 4.5 })));
}

function discussed(t) {
  return h("li", null, steps(t), h("div", null,
    h("h3", null, link(t.title || t.id, "threads", t.id)),
    h("p", { class: "meta" }, t.status ? badge(t.status, standing[t.status]) : null, " ",
      t.status !== "active" && t.condensation ? badge("condensed", "holds") : t.status === "resolved" ? badge("not condensed", "critical") : null, " ", count(t.message_count, "message"),
      t.last ? [", last ", time(t.last)] : null, t.participants && t.participants.length > 0 ? " · " + t.participants.join(", ") : null)));
}

views.threads = {
  title: "Threads",
  topics: ["threads"],
  fields: [
    { name: "q", label: "Search" },
    { name: "status", label: "Status", type: "select" },
    { name: "channel", label: "Channel", type: "select" },
  ],
  load: (state, signal) => api("threads", { limit: 200, ...state.params }, signal),
  body(d, state) {
    refill("status", d.facets.status);
    refill("channel", d.facets.channels);
    const groups = new Map();
    for (const t of d.threads) {
      if (!groups.has(t.channel)) groups.set(t.channel, []);
      groups.get(t.channel).push(t);
    }
    return [shown(d, "thread"), faults(d.faults),
      d.total === 0 ? h("p", { class: "empty" }, "No thread is open: 'forgemind thread open' begins one.")
        : h("p", { class: "quiet" }, "The dots: opened, resolved, condensed, archived."),
      [...groups].map(([channel, list]) => section("#" + channel, h("ol", { class: "card threads" }, list.map(discussed)))), pager(d, state)];
  },
  one: {
    load: (state, signal) => api("threads/" + encodeURIComponent(state.ids[0]), state.params, signal),
    title: (d) => d.thread.title || d.thread.id,
    body: (d, state) => [
      h("p", { class: "meta" }, link("#" + d.thread.channel, "threads", null, { channel: d.thread.channel }), " ", d.thread.status ? badge(d.thread.status, standing[d.thread.status]) : null),
      d.thread.status === "resolved" && !d.thread.condensation ? h("p", { class: "note" }, "It came to a conclusion that nothing holds: 'forgemind condense " + d.thread.id + "' writes it down.") : null,
      facts([["Opened", time(d.thread.opened)], ["Resolved", time(d.thread.resolved)], ["Archived", time(d.thread.archived)],
        ["Participants", (d.thread.participants || []).join(", ")],
        ["Condensation", d.thread.condensation ? link(d.thread.condensation, "condensations", d.thread.condensation) : ""]]),
      section("Messages", shown(d, "message"), faults(d.faults), messages(d.messages), pager(d, state)),
    ],
  },
};

// hue is one of eight colours for a name, always the same.
function hue(name) {
  let n = 7;
  for (const c of String(name)) n = (n * 31 + c.codePointAt(0)) % 9973;
  return "hue" + n % 8;
}

// messages are what was said, in order.
function messages(list) {
  return list.length === 0 ? null : h("ol", { class: "said" }, list.map((m) => {
    const name = m.agent || m.role || "unknown";
    return h("li", null, h("span", { class: "face " + hue(name), "aria-hidden": "true" }, [...name][0].toUpperCase()), h("div", null,
      h("div", null, h("strong", null, name), " ", time(m.timestamp), " ", m.kind && m.kind !== "message" ? badge(m.kind) : null),
      m.kind === "summary" ? prose(m.content, 2) : h("div", { class: "text" }, m.content)));
  }));
}
