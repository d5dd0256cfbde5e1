"use strict";

function condensed(c) {
  return h("li", { class: "card" },
    h("h3", null, link(c.topic || c.id, "condensations", c.id)),
    h("p", { class: "meta" }, time(c.date), " ", c.channel ? badge("#" + c.channel) : null, " ",
      c.pinned.length > 0 ? badge("pinned", "holds") : null, " ", c.missing.length > 0 ? badge("open: " + c.missing.join(", "), "warning") : null),
    c.decision ? h("p", null, c.decision) : c.context ? h("p", { class: "quiet" }, c.context) : null,
    c.participants.length > 0 ? h("p", { class: "quiet" }, c.participants.join(", ")) : null,
    c.fault ? h("p", { class: "note" }, "Not in the form of a condensation") : null);
}

views.condensations = {
  title: "Condensations",
  topics: ["condensations"],
  fields: [
    { name: "q", label: "Search" },
    { name: "channel", label: "Channel", type: "select" },
    { name: "participant", label: "Participant", type: "select" },
    { name: "from", label: "From", type: "date" },
    { name: "to", label: "To", type: "date" },
    { name: "pinned", label: "Pinned only", type: "checkbox" },
  ],
  load: (state, signal) => api("condensations", state.params, signal),
  body(d, state) {
    refill("channel", d.facets.channels);
    refill("participant", d.facets.participants);
    return [shown(d, "condensation"),
      d.total === 0 ? h("p", { class: "empty" }, "A discussion that came to its end leaves a condensation: 'forgemind condense THREAD' writes it.") : null,
      faults(d.faults),
      h("section", { "aria-label": "Condensations, newest first" }, h("h2", { class: "unseen" }, "Newest first"),
        d.condensations.length > 0 ? h("ol", { class: "cards two" }, d.condensations.map(condensed)) : null), pager(d, state)];
  },
  one: {
    load: (state, signal) => api("condensations/" + encodeURIComponent(state.ids[0]), null, signal),
    title: (c) => c.topic || c.id,
    body: (c) => [
      h("p", { class: "meta" }, time(c.date), " ", c.channel ? badge("#" + c.channel) : null, " ", c.pinned.map((channel) => badge("pinned in #" + channel, "holds"))),
      c.fault ? h("p", { class: "note" }, c.fault) : null,
      c.missing.length > 0 ? h("p", { class: "note" }, "Not found in the discussion: " + c.missing.join(", ") + ".") : null,
      c.decision ? card("Decision", h("p", { class: "lead" }, c.decision)) : null,
      facts([["Participants", c.participants.join(", ")], ["Context", c.context], ["Why", c.rationale],
        ["Action items", bullets(c.action_items)], ["Supersedes", references(c.supersedes)],
        ["In the Ledger", c.decision_id ? link(c.decision_id, "decisions", c.decision_id) : ""], ["Thread", c.thread ? link(c.thread, "threads", c.thread) : ""], ["File", h("code", null, c.file)]]),
      c.fault ? section("As it stands in the file", source("Text of the file", c.text)) : more("source", "As it stands in the file", source("Text of the file", c.text)),
    ],
  },
};
