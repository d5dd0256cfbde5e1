"use strict";

const armed = { armed: "holds", off: "warning", disabled: "past", faulty: "critical" };

function words_(list) { return (list || []).map((name) => name.replaceAll("_", " ")).join(", "); }

views.triggers = {
  title: "Triggers",
  topics: ["triggers", "logs"],
  load: (state, signal) => api("triggers", null, signal),
  body(d) {
    const fired = d.triggers.filter((t) => t.last_fired).sort((a, b) => a.last_fired < b.last_fired ? 1 : -1);
    return [
      h("div", { class: "grid" },
        card("Last firings in this working copy", fired.length === 0 ? h("p", { class: "empty" }, "None has fired yet.")
          : h("ol", { class: "rows" }, fired.map((t) => h("li", null, h("strong", null, t.name), " ", time(t.last_fired))))),
        card("What was done to the conversation", happened(d.events, 20))),
      section("Triggers", h("ul", { class: "cards two" }, d.triggers.map((t) => h("li", { class: "card" },
        h("h3", null, t.name, " ", badge(t.state, armed[t.state])),
        t.why ? h("p", { class: "note" }, t.why) : null,
        t.condition ? h("p", null, h("code", null, t.condition)) : null,
        t.actions && t.actions.length > 0 ? h("p", { class: "quiet" }, "→ " + words_(t.actions)) : null,
        t.not_built && t.not_built.length > 0 ? h("p", { class: "quiet" }, "There is no such action: " + words_(t.not_built)) : null,
        t.last_fired ? h("p", { class: "meta" }, "fired ", time(t.last_fired)) : null)))),
    ];
  },
};
