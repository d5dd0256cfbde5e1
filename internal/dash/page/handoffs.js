"use strict";

function handed(x) {
  return h("p", { class: "meta" }, badge(x.status, x.status === "open" ? "holds" : "past"), " ", x.from || x.to ? h("span", { class: "way" }, x.from || "somebody", " → ", x.to || "everybody") : null, " ", time(x.created));
}

// pretty is JSON laid out; what is none stays as it is.
function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

views.handoffs = {
  title: "Handoffs",
  topics: ["handoffs"],
  fields: [
    { name: "q", label: "Search" },
    { name: "status", label: "Status", type: "select" },
    { name: "to", label: "For", type: "select" },
  ],
  load: (state, signal) => api("handoffs", state.params, signal),
  body(d, state) {
    refill("status", d.facets.status);
    refill("to", d.facets.to);
    return [shown(d, "handoff"), faults(d.faults),
      d.total === 0 ? h("p", { class: "empty" }, "The result of a task is handed on by 'forgemind handoff add TASK'.") : null,
      h("section", null, h("h2", { class: "unseen" }, "Open ones first"), d.handoffs.length > 0 ? h("ol", { class: "cards two" }, d.handoffs.map((x) => h("li", { class: x.status === "open" ? "card" : "card past" },
        h("h3", null, link(x.task || x.id, "handoffs", x.id)), handed(x), x.summary ? h("p", null, x.summary) : null,
        x.files.length > 0 ? h("p", { class: "quiet" }, x.files.map((f) => [h("code", null, f), " "])) : null))) : null), pager(d, state)];
  },
  one: {
    load: (state, signal) => api("handoffs/" + encodeURIComponent(state.ids[0]), null, signal),
    title: (x) => x.task || x.id,
    body: (x) => [handed(x),
      facts([["Result", x.summary ? prose(x.summary, 2) : ""], ["Files", x.files.length > 0 ? h("ul", { class: "plain" }, x.files.map((f) => h("li", null, h("code", null, f)))) : null],
        ["Handoff", h("code", null, x.id)], ["File", h("code", null, x.file)]]),
      x.results ? section("Results", source("Results", pretty(x.results))) : null],
  },
};
