"use strict";

function tiers(list) {
  return h("ul", { class: "tiers" }, list.map((t) => {
    const over = t.target_most > 0 && t.tokens > t.target_most;
    return h("li", null, h("div", null, h("strong", null, t.name), " ", number(t.tokens) + " tokens of " + number(t.target_most) +
      (t.messages ? ", " + count(t.messages, "message") : "") + (t.archived ? ", " + number(t.archived) + " archived" : ""), " ", over ? badge("over its target", "warning") : null),
    share(t.tokens, t.target_most, over ? "warning" : "holds"));
  }));
}

function goals(list) {
  return h("ul", null, list.map((g) => h("li", null, g.goal, " ", g.status ? badge(g.status, g.status === "complete" ? "past" : "") : null, " ",
    g.priority === "high" ? badge("high", "warning") : null, g.parts ? goals(g.parts) : null)));
}

function stated(title, list, name) {
  return list && list.length > 0 ? section(title, h("ul", null, list.map((item) => h("li", null, typeof item === "string" ? item : item[name] || "")))) : null;
}

views.sessions = {
  title: "Sessions",
  topics: ["sessions"],
  fields: [
    { name: "q", label: "Search" },
    { name: "status", label: "Status", type: "select", options: [{ value: "active", label: "active" }, { value: "archived", label: "archived" }] },
  ],
  load: (state, signal) => api("sessions", state.params, signal),
  body: (d, state) => [shown(d, "session"),
    d.total === 0 ? h("p", { class: "empty" }, "No session is kept here yet: 'forgemind message add' begins one.") : null,
    h("section", null, h("h2", { class: "unseen" }, "Latest activity first"), d.sessions.length > 0 ? h("ol", { class: "cards two" }, d.sessions.map((s) => h("li", { class: "card" },
      h("h3", null, link(s.title || s.id, "sessions", s.id)),
      h("p", { class: "meta" }, h("code", null, s.id), " ", s.active ? badge("active here", "holds") : null, " ", s.status === "archived" ? badge("archived", "past") : null, " ",
        count(s.message_count, "message"), s.last_activity ? [", last ", time(s.last_activity)] : null),
      s.agents ? h("p", { class: "quiet" }, s.agents.join(", ")) : null,
      s.fault ? h("p", { class: "note" }, s.fault) : null))) : null), pager(d, state)],
  one: {
    load: (state, signal) => api("sessions/" + encodeURIComponent(state.ids[0]), null, signal),
    title: (s) => s.title || s.id,
    body: (s) => [
      h("p", { class: "meta" }, h("code", null, s.id), " ", s.active ? badge("active here", "holds") : null, " ", s.status ? badge(s.status) : null),
      facts([["Started", time(s.started)], ["Last activity", time(s.last_activity)], ["Messages", number(s.message_count)], ["Agents", (s.agents || []).join(", ")],
        ["Continues", s.continues ? link(s.continues, "sessions", s.continues) : ""]]),
      card("Tiers", tiers(s.tiers || [])),
      s.goals && s.goals.length > 0 ? section("Goals", goals(s.goals)) : null,
      s.decisions && s.decisions.length > 0 ? section("Decisions", h("ol", { class: "rows" }, s.decisions.map((d) => h("li", null,
        h("div", null, d.id ? link(d.id, "decisions", d.id) : null, " ", time(d.timestamp), " ", d.superseded_by ? badge("superseded", "past") : badge("holds", "holds")),
        h("div", null, d.superseded_by ? h("s", null, d.decision) : d.decision))))) : null,
      stated("Constraints", s.constraints, "constraint"),
      stated("Pending actions", s.pending_actions, "action"),
      stated("Open questions", s.open_questions, "question"),
      stated("Notes", s.notes, "note"),
      s.summary ? section("Summary", h("div", { class: "card" }, prose(s.summary, 2)), more("source", "As it stands in summary.md", source("Summary", s.summary))) : null,
      s.recent && s.recent.length > 0 ? section("Recent history", messages(s.recent.map((m) => ({ ...m, id: m.id || m.msg_id })))) : null,
    ],
  },
};
