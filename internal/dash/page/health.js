"use strict";

const eventWords = { compaction: "Compaction", curation: "Curation", recovery: "Recovery" };

// happened is what was done to the conversation, newest first.
function happened(events, most) {
  if (!events || events.length === 0) return h("p", { class: "empty" }, "The conversation was not shortened yet.");
  return h("ol", { class: "rows" }, events.slice(0, most).map((e) => h("li", null,
    h("div", null, h("strong", null, eventWords[e.event] || e.event), e.trigger ? [" by ", h("code", null, e.trigger)] : null, " ", time(e.at)),
    h("div", { class: "quiet" },
      e.event === "compaction" ? number(e.tokens_before) + " → " + number(e.tokens_after) + " tokens, " + count(e.dropped, "chunk") + " dropped"
        : e.event === "curation" ? count(e.tokens_saved, "token") + " saved" : ""))));
}

// layers is where the project stands between an idea and its code.
function layers(s) {
  return h("ol", { class: "layers", "aria-label": "Layers" }, s.layers.map((name, n) => h("li", {
    class: n < s.layer ? "done" : n === s.layer ? "now" : null, "aria-current": n === s.layer ? "step" : null }, h("span", null, n + " " + name.toLowerCase()))));
}

// holding is a card with a section of the brief; none where that is empty.
function holding(title, section) {
  const most = 8, more = section.total - Math.min(section.items.length, most);
  return section.total === 0 ? null : card(title, h("ul", { class: "rows tight" }, section.items.slice(0, most).map((item) => h("li", null,
    h("div", null, /^DEC-/.test(item.id) ? link(item.text, "decisions", item.id) : item.text),
    h("div", { class: "quiet" }, item.id ? [h("code", null, item.id), " "] : null, time(item.date), " ",
      (item.about || []).map((text) => [badge(text, /high|critical|blocked|waits/.test(text) ? "warning" : ""), " "]))))),
    more > 0 ? h("p", { class: "quiet" }, "and " + number(more) + " more") : null);
}

// tile is a figure that leads to its view.
function tile(figure, text, note, view, kind, params) {
  const href = address(view, null, params);
  return h("li", null, h("a", { class: "tile " + (kind || ""), href, "data-key": "tile" + href }, picture(view), h("span", { class: "figure" }, figure), h("span", null, text), note ? h("span", { class: "quiet" }, note) : null));
}

let stale = null; // the last answer of the audit, which takes longest

function staleTile() {
  if (!stale) return tile("…", "outdated", "the audit is looking", "audit");
  const worst = stale.findings.length > 0 ? stale.findings[0].score : 0;
  return tile(number(stale.total), "outdated", stale.total === 0 ? "nothing found" : "worst score " + worst, "audit", worst >= 70 ? "critical" : worst > 0 ? "warning" : "holds");
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
    const c = d.monitoring.context_health, s = d.monitoring.session_health, w = d.window, n = d.counts, now = d.holds;
    const alerts = d.monitoring.alerts || [];
    const nothing = !now.faults && Object.values(now).every((section) => section.total === 0);
    return [
      alerts.length === 0 ? null
        : section("Alerts", h("ul", { class: "alerts" }, alerts.map((a) => h("li", null, h("div", null, a.message), h("div", { class: "quiet" }, h("code", null, a.alert)))))),
      now.faults ? h("div", { class: "note" }, h("p", null, "Not everything could be read:"), h("ul", null, now.faults.map((text) => h("li", null, text)))) : null,
      nothing ? h("p", { class: "empty" }, "Nothing is recorded yet. 'forgemind goal add' and 'forgemind decision add' begin.")
        : h("div", { class: "grid" },
          h("div", { class: "stack" }, holding("Goals", now.goals), holding("Next", now.next), holding("Open questions", now.open_questions)),
          h("div", { class: "stack" }, holding("Decisions", now.decisions), holding("Constraints", now.constraints), holding("Remembered", now.notes))),
      d.stands && (d.stands.layer > 0 || d.stands.clarity > 0) ? card("Layer", layers(d.stands),
        h("p", { class: "labelled" }, h("span", null, "Clarity of this layer"), h("strong", null, d.stands.clarity + "\u00a0%")), share(d.stands.clarity, 100)) : null,
      h("div", { class: d.looks > 1 ? "grid lean" : "grid" },
        card("Context window",
          w ? gauge(w, c.status) : h("p", null, "The size of the window is not known. ", badge(c.status, c.status)),
          w && w.next_compaction ? h("p", { class: "centred" }, w.next_compaction.left === 0 ? "A compaction is due." :
            "Compacts in " + count(w.next_compaction.left, "token") + ", at " + w.next_compaction.percent + "\u00a0%.") : null,
          w && w.parts && w.parts.length > 0 ? more("parts", "What fills it", table("Parts of the context window", ["part", "tokens", "share"],
            w.parts.map((p) => [p.name.replaceAll("_", " "), number(p.tokens), w.total_tokens ? percent(p.tokens / w.total_tokens) : ""]))) : null),
        d.looks > 1 ? card("How full it was", history_(d.history, w ? w.thresholds : [], d.looks)) : null),
      h("section", null, h("h2", { class: "unseen" }, "How much there is"), h("ul", { class: "tiles" },
        tile(number(n.decisions_current), "decisions hold", n.decisions > n.decisions_current ? number(n.decisions - n.decisions_current) + " superseded" : "", "decisions"),
        tile(number(n.condensations), "condensations", count(n.channels, "channel"), "condensations"),
        tile(number(n.threads_active), "active discussions", n.threads_uncondensed > 0 ? number(n.threads_uncondensed) + " not condensed" : number(n.threads) + " in all", "threads", n.threads_uncondensed > 0 ? "warning" : ""),
        tile(number(n.projects), "projects", n.projects_behind > 0 ? number(n.projects_behind) + " behind" : "", "projects", n.projects_behind > 0 ? "warning" : ""),
        tile(number(n.handoffs_open), "open handoffs", n.handoffs > n.handoffs_open ? number(n.handoffs) + " in all" : "", "handoffs"),
        staleTile())),
      h("div", { class: "grid" }, card("What was done to the conversation", happened(d.events, 6)),
        card("This session", facts([["Duration", s.duration], ["Messages", number(s.messages)], ["Commands", number(s.commands)], ["Errors", number(s.errors)],
          ["Clarity gained", s.clarity_progress], ["Artifacts loaded", number(c.loaded_artifacts)], ["Open questions", number(c.open_questions)],
          ["Pending actions", number(d.work.pending_actions) + (d.work.overdue ? ", " + number(d.work.overdue) + " overdue" : "") + (d.work.blocked ? ", " + number(d.work.blocked) + " blocked" : "")],
          ["Last compaction", c.last_compaction]]))),
    ];
  },
};
