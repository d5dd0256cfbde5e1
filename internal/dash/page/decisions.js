"use strict";

function decided(d) {
  const past = Boolean(d.superseded_by);
  return h("li", { class: past ? "card past" : "card holds" },
    h("h3", null, link(d.decision || d.id, "decisions", d.id, null, past ? { class: "struck" } : null)),
    h("p", { class: "meta" }, time(d.timestamp), " ", h("code", null, d.id), " ",
      past ? badge("superseded", "past") : badge("holds", "holds"), " ", d.project ? badge(d.project) : null, " ",
      d.origin && d.origin !== "explicit" ? badge(d.origin) : null),
    past ? h("p", null, "Superseded by ", link(d.superseded_by, "decisions", d.superseded_by), ".") : null,
    d.rationale ? h("p", { class: "quiet" }, d.rationale) : null,
    d.chained ? later("chain-" + d.id, "Chain of " + count(d.chained, "decision"), async () => {
      const one = await api("decisions/" + encodeURIComponent(d.id));
      return chain(one.chain || [], one.id);
    }) : null);
}

views.decisions = {
  title: "Decisions",
  topics: ["decisions"],
  fields: [
    { name: "q", label: "Search" },
    { name: "status", label: "Status", type: "select", options: [{ value: "current", label: "holds" }, { value: "superseded", label: "superseded" }] },
    { name: "maker", label: "Decided by", type: "select" },
    { name: "project", label: "Project", type: "select" },
    { name: "from", label: "From", type: "date" },
    { name: "to", label: "To", type: "date" },
  ],
  load: (state, signal) => api("decisions", state.params, signal),
  body(d, state) {
    refill("maker", d.facets.makers);
    refill("project", d.facets.projects);
    const groups = new Map();
    for (const one of d.decisions) {
      const name = month(one.timestamp);
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(one);
    }
    return [d.offset === 0 ? timeline(d.timeline) : null,
      shown(d, "decision", d.total > 0 ? number(d.current) + " hold, " + number(d.total - d.current) + " superseded" : ""),
      d.total === 0 ? h("p", { class: "empty" }, "Nothing is decided yet: 'forgemind decision add' records what is.") : null,
      faults(d.faults),
      [...groups].map(([name, list]) => section(name, h("ol", { class: "cards timed" }, list.map(decided)))), pager(d, state)];
  },
  one: {
    load: (state, signal) => api("decisions/" + encodeURIComponent(state.ids[0]), null, signal),
    title: (d) => d.decision || d.id,
    body: (d) => [
      h("p", { class: "meta" }, time(d.timestamp), " ", h("code", null, d.id), " ", d.superseded_by ? badge("superseded", "past") : badge("holds", "holds")),
      d.superseded_by ? h("p", { class: "note" }, "Superseded by ", link(d.superseded_by, "decisions", d.superseded_by), ".") : null,
      facts([["Why", d.rationale], ["Rejected", bullets(d.alternatives_rejected)], ["What follows", bullets(d.impact)],
        ["Decided by", d.decision_maker], ["Recorded by", d.recorded_by], ["Supersedes", references([].concat(d.supersedes || []))],
        ["Project", d.project ? link(d.project, "decisions", null, { project: d.project }) : ""], ["Channel", d.channel ? "#" + d.channel : ""],
        ["Files", d.files && d.files.length > 0 ? h("ul", { class: "plain" }, d.files.map((f) => h("li", null, h("code", null, f)))) : null],
        ["Origin", d.origin], ["Confidence", d.confidence ? percent(d.confidence) : ""]]),
      d.chain ? section(d.chain.length < 50 ? "Chain" : "Chain, the nearest 50 decisions", h("div", { class: "card" }, chain(d.chain, d.id))) : null,
    ],
  },
};
