"use strict";

views.drops = {
  title: "Drops",
  topics: ["logs"],
  fields: [
    { name: "q", label: "Search by chunk" },
    { name: "reason", label: "Reason", type: "select" },
    { name: "session", label: "Session", type: "select" },
  ],
  load: (state, signal) => api("drops", state.params, signal),
  body(d, state) {
    const t = d.tuning;
    refill("reason", (t.drops.by_reason || []).map((r) => ({ value: r.reason, count: r.count })));
    refill("session", d.sessions);
    return [
      card("Scores", histogram(t.drops),
        facts([["Dropped", count(t.drops.count, "chunk") + ", " + count(t.drops.tokens, "token")], ["Recovered", number(t.recoveries.all.recovered) + " (" + percent(t.recoveries.all.rate) + ")"],
          ["Compactions", number(t.compactions.count) + ", " + count(t.compactions.saved, "token") + " saved"], ["Curations", number(t.curation.count) + ", " + count(t.curation.sum, "token") + " saved"]]),
        t.suggestions && t.suggestions.length > 0 ? [h("h3", null, "What the numbers speak for"), h("ul", null, t.suggestions.map((s) => h("li", null, s.text)))] : null,
        t.notes && t.notes.length > 0 ? more("notes", "What the logs cannot say", h("ul", null, t.notes.map((n) => h("li", null, n)))) : null),
      section("Dropped chunks, newest first", shown(d, "drop"), faults(d.faults),
        d.total === 0 ? h("p", { class: "empty" }, "Nothing left a conversation yet.") : null,
        d.drops.length > 0 ? h("ol", { class: "card rows dropped" }, d.drops.map((x) => h("li", null,
          h("div", null, h("code", null, x.id), " ", time(x.timestamp), " ", x.reason ? badge(x.reason.replaceAll("_", " ")) : null, " ", x.recovered ? badge("recovered", "warning") : null),
          h("div", { class: "quiet" }, x.relevance_score === undefined ? null : share(x.relevance_score, 1, x.recovered ? "warning" : ""), [
            x.relevance_score === undefined ? "no score" : "score " + x.relevance_score + (x.threshold_used ? ", threshold " + x.threshold_used : ""),
            x.similarity === undefined ? "" : "similarity " + Math.round(x.similarity * 1000) / 1000,
            x.hours === undefined ? "" : Math.round(x.hours * 10) / 10 + " hours old",
            x.important ? "important" : "", x.tokens ? count(x.tokens, "token") : ""].filter(Boolean).join(" · "))))) : null, pager(d, state)),
    ];
  },
};
