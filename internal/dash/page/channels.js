"use strict";

// pins are condensations that are pinned.
function pins(list) {
  return h("ol", { class: "cards two" }, list.map((p) => h("li", { class: "card" },
    h("h3", null, p.astray ? p.topic : link(p.topic, "condensations", p.id)),
    p.astray ? h("p", { class: "note" }, "This pin names a missing condensation.") : null,
    p.decision ? h("p", null, p.decision) : null,
    h("p", { class: "meta" }, p.pinned_by ? "pinned by " + p.pinned_by + " " : "", time(p.pinned_at || p.date)))));
}

// taken is how many pins there are, and how many there can be.
function taken(c) {
  return h("div", { class: "room-left" }, h("p", { class: "quiet" }, number(c.pinned) + " of " + count(c.room, "pin")), share(c.pinned, c.room, c.pinned >= c.room ? "warning" : ""));
}

function spoken(c) {
  return h("p", { class: "meta" }, link(count(c.active + c.resolved + c.archived, "thread"), "threads", null, { channel: c.id }), c.active > 0 ? ", " + number(c.active) + " active" : "", " ",
    c.uncondensed > 0 ? badge(number(c.uncondensed) + " not condensed", "warning") : null);
}

views.channels = {
  title: "Channels",
  topics: ["channels"],
  fields: [{ name: "q", label: "Search" }],
  load: (state, signal) => api("channels", state.params, signal),
  body: (d, state) => [shown(d, "channel"),
    d.total === 0 ? h("p", { class: "empty" }, "No channel has a pin or a thread yet: 'forgemind thread open' begins one.") : null,
    d.channels.map((c) => h("section", null, h("h2", null, link("#" + c.id, "channels", c.id)), spoken(c),
      c.fault ? h("p", { class: "note" }, c.fault) : null,
      c.pinned === 0 ? h("p", { class: "empty" }, "Nothing is pinned here.") : [taken(c), pins(c.pins)],
      c.pinned > c.pins.length ? h("p", null, link("All " + number(c.pinned) + " pins", "channels", c.id)) : null)), pager(d, state)],
  one: {
    load: (state, signal) => api("channels/" + encodeURIComponent(state.ids[0]), null, signal),
    title: (c) => "#" + c.id,
    body: (c) => [spoken(c), c.fault ? h("p", { class: "note" }, c.fault) : null,
      section("Pins", c.pinned === 0 ? h("p", { class: "empty" }, "Nothing is pinned here.") : [taken(c), pins(c.pins)])],
  },
};
