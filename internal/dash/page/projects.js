"use strict";

views.projects = {
  title: "Projects",
  topics: ["projects"],
  fields: [{ name: "q", label: "Search" }],
  load: (state, signal) => api("projects", state.params, signal),
  body: (d, state) => [shown(d, "project"), faults(d.faults),
    d.total === 0 ? h("p", { class: "empty" }, "A project has a CONTEXT.md that says what holds: 'forgemind project new NAME' begins one.") : null,
    h("section", null, h("h2", { class: "unseen" }, "Blocked ones first"), d.projects.length > 0 ? h("ul", { class: "cards two" }, d.projects.map((p) => h("li", { class: "card" },
      h("h3", null, link(p.name || p.id, "projects", p.id)),
      h("p", { class: "meta" }, p.phase ? badge(p.phase) : null, " ", p.channels.map((c) => [badge("#" + c), " "]), p.behind.length > 0 ? badge("CONTEXT.md is behind", "warning") : badge("up to date", "holds")),
      p.active ? h("p", null, p.active) : null,
      p.blocked ? h("p", { class: "note" }, "Blocked: " + p.blocked) : null,
      p.constraints.length > 0 ? h("div", { class: "quiet" }, bullets(p.constraints)) : null))) : null), pager(d, state)],
  one: {
    load: (state, signal) => api("projects/" + encodeURIComponent(state.ids[0]), null, signal),
    title: (p) => p.name || p.id,
    body: (p) => [
      h("p", { class: "meta" }, p.phase ? badge(p.phase) : null, " ", p.channels.map((c) => [link("#" + c, "threads", null, { channel: c }), " "])),
      p.blocked ? h("p", { class: "note" }, "Blocked: " + p.blocked) : null,
      p.behind.length > 0 ? h("div", { class: "note" }, h("p", null, "Its CONTEXT.md is behind; 'forgemind project refresh " + p.id + "' mends what is generated:"), h("ul", null, p.behind.map((text) => h("li", null, text)))) : null,
      section("CONTEXT.md", p.missing ? h("p", { class: "empty" }, "It cannot be shown: " + p.missing) : h("div", { class: "card" }, prose(p.text, 2)),
        p.missing ? null : more("source", "As it stands in " + p.context, source("Text of CONTEXT.md", p.text))),
    ],
  },
};
