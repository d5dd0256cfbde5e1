"use strict";

const eventWords = { compaction: "Compaction", curation: "Curation", recovery: "Recovery" };

// happened is what was done to the conversation, newest first.
function happened(events, most) {
  if (!events || events.length === 0) return h("p", { class: "empty" }, "Nothing was compacted, curated or recovered yet.");
  return h("ol", { class: "rows" }, events.slice(0, most).map((e) => h("li", null,
    h("div", null, h("strong", null, eventWords[e.event] || e.event), e.trigger ? [" by ", h("code", null, e.trigger)] : null, " ", time(e.at)),
    h("div", { class: "quiet" },
      e.event === "compaction" ? number(e.tokens_before) + " → " + number(e.tokens_after) + " tokens, " + count(e.dropped, "chunk") + " dropped"
        : e.event === "curation" ? count(e.tokens_saved, "token") + " saved" : ""))));
}

// layers is where the project stands between an idea and its code.
function layers(s) {
  return h("ol", { class: "layers", "aria-label": "Layers" }, s.layers.map((name, n) => h("li", {
    class: n < s.layer ? "done" : n === s.layer ? "now" : null, "aria-current": n === s.layer ? "step" : null }, h("span", null, n + " · " + name.toLowerCase()))));
}

// waiting is a list of what is open.
function waiting(title, list) {
  return list.length === 0 ? null : [h("h3", null, title), h("ul", { class: "rows tight" }, list.slice(0, 5).map((w) => h("li", null,
    h("div", null, w.text, " ", w.priority === "high" || w.priority === "critical" ? badge(w.priority, "warning") : null),
    w.due || w.blocked_by ? h("div", { class: "quiet" }, w.due ? ["due ", time(w.due)] : null, w.due && w.blocked_by ? ", " : "", w.blocked_by ? "waits for " + w.blocked_by.join(", ") : null) : null))),
    list.length > 5 ? h("p", { class: "quiet" }, "and more") : null];
}

// tile is a figure that leads to its view.
function tile(figure, text, note, view, kind, params) {
  const href = address(view, null, params);
  return h("li", null, h("a", { class: "tile " + (kind || ""), href, "data-key": "tile" + href }, picture(view), h("span", { class: "figure" }, figure), h("span", null, text), note ? h("span", { class: "quiet" }, note) : null));
}

let stale = null; // the last answer of the audit, which takes longest

function staleTile() {
  if (!stale) return tile("…", "stale", "the audit is looking", "audit");
  const worst = stale.findings.length > 0 ? stale.findings[0].score : 0;
  return tile(number(stale.total), "stale", stale.total === 0 ? "nothing found" : "worst score " + worst, "audit", worst >= 70 ? "critical" : worst > 0 ? "warning" : "holds");
}

async function lookForStale(signal) {
  try {
    stale = await api("audit", { limit: 1 }, signal);
  } catch { return; /* the view says why */ }
  pill("audit", stale.total, stale.total > 0 ? "warning" : "");
  const old = document.querySelector('#body .tile[href="#/audit"]');
  if (old) old.parentNode.replaceWith(staleTile());
}

views.health = {
  title: "Overview",
  topics: ["health", "logs"],
  load(state, signal) {
    const got = api("health", null, signal);
    got.then(() => lookForStale(), () => {});
    return got;
  },
  body(d) {
    const c = d.monitoring.context_health, s = d.monitoring.session_health, w = d.window, n = d.counts;
    const alerts = d.monitoring.alerts || [];
    return [
      alerts.length === 0 ? h("p", { class: "calm" }, "No alerts.")
        : section("Alerts", h("ul", { class: "alerts" }, alerts.map((a) => h("li", null, h("div", null, a.message), h("div", { class: "quiet" }, h("code", null, a.alert)))))),
      h("div", { class: "grid lean" },
        card("Context window",
          w ? gauge(w, c.status) : h("p", null, "The size of the window is unknown. ", badge(c.status, c.status)),
          w && w.next_compaction ? h("p", { class: "centred" }, w.next_compaction.left === 0 ? "A compaction is due." :
            "Compacts in " + count(w.next_compaction.left, "token") + ", at " + w.next_compaction.percent + "\u00a0%.") : null,
          w && w.parts && w.parts.length > 0 ? more("parts", "What fills it", table("Parts of the context window", ["part", "tokens", "share"],
            w.parts.map((p) => [p.name.replaceAll("_", " "), number(p.tokens), w.total_tokens ? percent(p.tokens / w.total_tokens) : ""]))) : null),
        card("How full it was", history_(d.history, w ? w.thresholds : [], d.looks))),
      h("section", null, h("h2", { class: "unseen" }, "How much there is"), h("ul", { class: "tiles" },
        tile(number(n.decisions_current), "decisions hold", n.decisions > n.decisions_current ? number(n.decisions - n.decisions_current) + " superseded" : "", "decisions"),
        tile(number(n.condensations), "condensations", count(n.channels, "channel"), "condensations"),
        tile(number(n.threads_active), "active threads", n.threads_uncondensed > 0 ? number(n.threads_uncondensed) + " not condensed" : number(n.threads) + " in all", "threads", n.threads_uncondensed > 0 ? "warning" : ""),
        tile(number(n.projects), "projects", n.projects_behind > 0 ? number(n.projects_behind) + " behind" : "", "projects", n.projects_behind > 0 ? "warning" : ""),
        tile(number(n.handoffs_open), "open handoffs", n.handoffs > n.handoffs_open ? number(n.handoffs) + " in all" : "", "handoffs"),
        staleTile())),
      h("div", { class: "grid" }, h("div", { class: "stack" },
        d.stands ? card("Where the project stands", d.stands.name ? h("p", null, h("strong", null, d.stands.name)) : null, layers(d.stands),
          h("p", { class: "labelled" }, h("span", null, "Clarity of this layer"), h("strong", null, d.stands.clarity + "\u00a0%")), share(d.stands.clarity, 100),
          waiting("Open questions", d.stands.questions), waiting("To be done", d.stands.actions)) : null,
        card("What was done to the conversation", happened(d.events, 6))),
        card("This session", facts([["Duration", s.duration], ["Messages", number(s.messages)], ["Commands", number(s.commands)], ["Errors", number(s.errors)],
          ["Clarity gained", s.clarity_progress], ["Artifacts loaded", number(c.loaded_artifacts)], ["Open questions", number(c.open_questions)],
          ["Pending actions", number(d.work.pending_actions) + (d.work.overdue ? ", " + number(d.work.overdue) + " overdue" : "") + (d.work.blocked ? ", " + number(d.work.blocked) + " blocked" : "")],
          ["Last compaction", c.last_compaction]]))),
    ];
  },
};
