"use strict";

function weight(score) { return score >= 70 ? "critical" : score >= 40 ? "warning" : ""; }

// place is a line of a file, and what stands there.
function place(e) {
  return h("li", null, e.file ? h("code", null, e.file + (e.line ? ":" + e.line : "")) : null, e.commit ? [" commit ", h("code", null, e.commit.slice(0, 12))] : null,
    e.at ? [" ", time(e.at)] : null, e.text ? h("blockquote", null, e.text) : null);
}

views.audit = {
  title: "Audit",
  topics: ["audit"],
  fields: [
    { name: "q", label: "Search" },
    { name: "kind", label: "Kind", type: "select" },
  ],
  load: (state, signal) => api("audit", state.params, signal),
  body(d, state) {
    refill("kind", d.kinds.map((k) => ({ value: k.value, label: k.value.replaceAll("-", " ") + " (" + number(k.count) + ")" })));
    if (!d.audited) return h("p", { class: "empty" }, "This version has no audit.");
    pill("audit", d.total, d.total > 0 ? "warning" : "");
    const looked = h("p", { class: "quiet" }, "Looked at " + count(d.checked, "document") + " and records, and at " + count(d.commits, "commit") + ". ", (d.not_checked || []).map((g) => "Not checked: " + g.what + ": " + g.why + ". ").join(""));
    const unread = faults((d.unread || []).map((file) => ({ file, why: "it could not be read; 'forgemind validate' says why" })));
    if (d.total === 0) return [h("p", { class: "calm" }, "Nothing is stale."), looked, unread];
    const most = Math.max(...d.kinds.map((k) => k.count));
    return [
      card("By kind", h("ul", { class: "kinds" }, d.kinds.map((k) => h("li", null,
        h("div", { class: "labelled" }, link(k.value.replaceAll("-", " "), "audit", null, { kind: k.value }), h("span", null, number(k.count))), share(k.count, most, "warning"), h("p", { class: "quiet" }, k.summary))))),
      shown(d, "finding"), looked, unread,
      h("section", null, h("h2", { class: "unseen" }, "What matters most first"), h("ol", { class: "cards" }, d.findings.map((f) => h("li", { class: "card weighed " + weight(f.score) },
        h("h3", null, f.message),
        h("p", { class: "meta" }, badge(f.kind.replaceAll("-", " "), weight(f.score)), " score " + f.score + " ", f.file ? h("code", null, f.file + (f.line ? ":" + f.line : "")) : null),
        f.hint ? h("p", { class: "todo" }, h("strong", null, "What to do: "), f.hint) : null,
        f.evidence && f.evidence.length > 0 ? [h("p", { class: "quiet" }, "Evidence"), h("ul", { class: "evidence" }, f.evidence.map(place))] : null)))), pager(d, state)];
  },
};
