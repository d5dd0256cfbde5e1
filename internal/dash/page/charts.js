"use strict";
// Drawings. Each says in words what it shows; the figures stand in a table.
// They are drawn as wide as there is room, so that their letters stay readable.

// drawn is a drawing that make fills for a width, again when that changes.
function drawn(name, words, height, make) {
  const box = h("div", { class: "drawing " + name });
  let was = 0;
  const draw = () => {
    const width = Math.floor(box.clientWidth);
    if (width === 0 || width === was) return;
    was = width;
    box.replaceChildren(v("svg", { viewBox: "0 0 " + width + " " + height, width, height, role: "img", "aria-label": words }, make(width, height)));
  };
  new ResizeObserver(() => requestAnimationFrame(draw)).observe(box);
  return box;
}

function letters(x, y, text, attributes) { return v("text", { x, y, ...attributes }, text); }

// gauge is how full the window is, with the thresholds.
function gauge(w, status) {
  const full = Math.max(0, Math.min(100, w.usage_percent));
  const text = percent(w.usage_percent / 100) + " full: " + number(w.used_tokens) + (w.total_tokens ? " of " + number(w.total_tokens) : "") + " tokens";
  const marks = (w.thresholds || []).filter((m) => m.percent > 0 && m.percent <= 100);
  const at = (share, r) => [120 - r * Math.cos(Math.PI * share / 100), 120 - r * Math.sin(Math.PI * share / 100)].map((n) => n.toFixed(2)).join(" ");
  const arc = (from, to, r) => "M" + at(from, r) + " A" + r + " " + r + " 0 0 1 " + at(to, r);
  const zone = (from, to, kind) => to > from ? v("path", { class: "zone " + kind, d: arc(from, to, 112) }) : null;
  const first = marks.length > 0 ? marks[0].percent : 100, last = marks.length > 0 ? marks[marks.length - 1].percent : 100;
  return h("div", { class: "meter " + status, role: "meter", "aria-label": "Context window", "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": full, "aria-valuetext": text },
    v("svg", { class: "arc", viewBox: "0 0 240 132", "aria-hidden": "true" },
      zone(0, first, "healthy"), zone(first, last, "warning"), zone(last, 100, "critical"),
      v("path", { class: "room", d: arc(0, 100, 96) }),
      full > 0 ? v("path", { class: "full", d: arc(0, Math.max(full, 0.6), 96) }) : null,
      marks.map((m) => v("path", { class: "tick", d: "M" + at(m.percent, 84) + " L" + at(m.percent, 108) })),
      letters(120, 100, percent(w.usage_percent / 100), { class: "big" }), letters(120, 122, status, { class: "small" })),
    h("p", { class: "quiet centred" }, text));
}

// history_ is how full the window was over time.
function history_(points, marks, looks) {
  if (!points || points.length === 0) return h("p", { class: "empty" }, "No look at the window is in the log yet; 'forgemind health' adds one.");
  const top = Math.max(1, ...points.map((p) => p.ratio));
  const times = points.map((p) => new Date(p.at).getTime());
  const first = times[0], last = times[times.length - 1];
  const peak = points.reduce((a, b) => b.ratio > a.ratio ? b : a), now = points[points.length - 1];
  const words = "How full the window was in " + count(looks, "look") + ": at most " + percent(peak.ratio) + ", last " + percent(now.ratio);
  const known = (marks || []).filter((m) => m.percent / 100 <= top);
  const make = (width, height) => {
    const left = 46, right = width - 8, low = height - 22, high = 12;
    const x = (i) => last > first ? left + (right - left) * (times[i] - first) / (last - first) : points.length > 1 ? left + (right - left) * i / (points.length - 1) : (left + right) / 2;
    const y = (ratio) => low - (low - high) * Math.max(0, ratio) / top;
    const line = points.map((p, i) => (i ? "L" : "M") + x(i).toFixed(1) + " " + y(p.ratio).toFixed(1)).join("");
    const spot = (p, kind) => v("circle", { class: "spot " + kind, cx: x(points.indexOf(p)), cy: y(p.ratio), r: 3.5 });
    let above = Infinity;
    return [[0, 0.25, 0.5, 0.75, 1].filter((r) => r <= top).map((r) => [v("line", { class: "grid", x1: left, x2: right, y1: y(r), y2: y(r) }), letters(left - 6, y(r) + 4, percent(r), { class: "end" })]),
      points.length > 1 ? [v("path", { class: "area", d: line + "L" + x(points.length - 1).toFixed(1) + " " + low + "L" + x(0).toFixed(1) + " " + low + "Z" }), v("path", { class: "line", d: line })] : null,
      known.map((m) => {
        const at = y(m.percent / 100), room = above - at >= 13;
        if (room) above = at;
        return [v("line", { class: "mark", x1: left, x2: right, y1: at, y2: at }), room ? letters(right - 2, at - 3, m.name + " " + m.percent + " %", { class: "end named" }) : null];
      }),
      spot(peak, "peak"), spot(now, ""),
      letters(left, height - 5, points.length > 1 ? moment_(points[0].at) : "", {}), letters(right, height - 5, moment_(now.at), { class: "end" })];
  };
  return h("figure", null, drawn("history", words, 200, make),
    h("figcaption", null, words + "."),
    more("history-figures", "The last looks in figures", table("Looks at the context window, newest first", ["time", "full", "tokens", "limit"],
      points.slice(-20).reverse().map((p) => [time(p.at), percent(p.ratio), number(p.tokens), number(p.limit)]))));
}

// histogram is how many drops had which score.
function histogram(drops) {
  const buckets = drops.histogram || [];
  if (!drops.scored) return h("p", { class: "empty" }, "No drop has a score yet.");
  const most = Math.max(1, ...buckets.map((b) => b.count));
  const words = "Scores of " + count(drops.scored, "drop") + ": the cutoff is " + drops.relevance_cutoff + ", what scores " + drops.keep_threshold + " is kept";
  const make = (width, height) => {
    const left = 4, right = width - 4, low = height - 22, high = 34;
    const x = (score) => left + (right - left) * score, step = (right - left) / buckets.length;
    const tall = (n) => n > 0 ? Math.max(2, (low - high) * n / most) : 0;
    const named = [["dropped", 0, drops.relevance_cutoff], ["summarised", drops.relevance_cutoff, drops.keep_threshold], ["kept", drops.keep_threshold, 1]];
    return [named.map(([name, from, to], i) => to > from ? [v("rect", { class: "band b" + i, x: x(from), y: 0, width: x(to) - x(from), height: low }),
        x(to) - x(from) > 56 ? letters((x(from) + x(to)) / 2, 15, name, { class: "middle named" }) : null] : null),
      buckets.map((b, i) => [
        v("rect", { class: "bar", x: left + i * step + step * 0.1, width: step * 0.8, y: low - tall(b.count), height: tall(b.count), rx: 2 }),
        v("rect", { class: "bar back", x: left + i * step + step * 0.1, width: step * 0.8, y: low - tall(b.recovered), height: tall(b.recovered), rx: 2 }),
        b.count > 0 && step > 22 ? letters(left + i * step + step / 2, low - tall(b.count) - 4, number(b.count), { class: "middle" }) : null]),
      [drops.relevance_cutoff, drops.keep_threshold].map((at) => v("line", { class: "mark", x1: x(at), x2: x(at), y1: 0, y2: low })),
      [0, 0.2, 0.4, 0.6, 0.8, 1].map((at) => letters(x(at), height - 5, String(at), { class: at === 0 ? "" : at === 1 ? "end" : "middle" }))];
  };
  return h("figure", null, drawn("histogram", words, 210, make),
    h("figcaption", null, words + ". ", h("span", { class: "key bar" }), " dropped, ", h("span", { class: "key back" }), " of these recovered later."),
    more("histogram-figures", "The scores in figures", table("Drops by score", ["score", "dropped", "recovered"],
      buckets.map((b) => [b.from + " to " + b.to, number(b.count), number(b.recovered)]))));
}

// timeline is how many decisions were taken when, and how many still hold.
function timeline(t) {
  const bins = t.bins || [];
  if (bins.length < 2) return null;
  const most = Math.max(1, ...bins.map((b) => b.holding + b.superseded));
  const total = bins.reduce((n, b) => n + b.holding + b.superseded, 0);
  const words = count(total, "decision") + " by " + t.unit + ", from " + bin(bins[0], t.unit) + " to " + bin(bins[bins.length - 1], t.unit);
  const make = (width, height) => {
    const low = height - 20, step = width / bins.length, gap = Math.min(3, step * 0.15);
    const tall = (n) => (low - 6) * n / most;
    return [v("line", { class: "grid", x1: 0, x2: width, y1: low + 0.5, y2: low + 0.5 }),
      bins.map((b, i) => [
        v("rect", { class: "bar gone", x: i * step + gap, width: Math.max(1, step - 2 * gap), y: low - tall(b.superseded), height: tall(b.superseded), rx: 1.5 }),
        v("rect", { class: "bar", x: i * step + gap, width: Math.max(1, step - 2 * gap), y: low - tall(b.holding + b.superseded), height: tall(b.holding), rx: 1.5 })]),
      letters(0, height - 4, bin(bins[0], t.unit), {}), letters(width, height - 4, bin(bins[bins.length - 1], t.unit), { class: "end" })];
  };
  return h("figure", { class: "card" }, drawn("timeline", words, 110, make),
    h("figcaption", null, words + ". ", h("span", { class: "key bar" }), " still hold, ", h("span", { class: "key gone" }), " superseded since."),
    more("timeline-figures", "In figures", table("Decisions by " + t.unit, [t.unit, "hold", "superseded"],
      bins.filter((b) => b.holding + b.superseded > 0).map((b) => [bin(b, t.unit), number(b.holding), number(b.superseded)]))));
}

function bin(b, unit) {
  return unit === "year" ? b.from.slice(0, 4) : unit === "month" ? months.format(new Date(b.from)) : days.format(new Date(b.from));
}

// chain is what superseded what, oldest first, with a line from each to what
// took its place.
function chain(links, id) {
  const place = new Map(links.map((l, i) => [l.id, i]));
  const next = links.map((l) => place.has(l.superseded_by) ? place.get(l.superseded_by) : -1);
  const lane = lanes(next);
  const rows = links.map((l) => h("li", { class: l.superseded_by ? "past" : "holds", "aria-current": l.id === id ? "true" : null },
    h("div", null, link(l.id, "decisions", l.id), " ", time(l.timestamp), " ", l.superseded_by ? badge("superseded", "past") : badge("holds", "holds")),
    h("div", null, l.superseded_by ? h("s", null, l.decision) : l.decision)));
  const list = h("ol", null, rows);
  const picture = v("svg", { class: "lanes", "aria-hidden": "true" });
  const box = h("div", { class: "chain" }, picture, list);
  const x = (i) => 12 + 18 * Math.min(lane[i], 9);
  list.style.paddingLeft = (24 + 18 * Math.min(Math.max(...lane), 9)) + "px";
  const draw = () => {
    const y = rows.map((row) => row.offsetTop + 14);
    picture.setAttribute("width", list.style.paddingLeft);
    picture.setAttribute("height", String(box.clientHeight));
    picture.replaceChildren(...next.map((j, i) => j < 0 ? null : v("path", { class: "way", d: "M" + x(i) + " " + y[i] +
        (x(i) === x(j) ? "L" + x(j) + " " + y[j] : "L" + x(i) + " " + (y[j] - 22) + "Q" + x(i) + " " + y[j] + " " + x(j) + " " + y[j]) })).filter(Boolean),
      ...links.map((l, i) => v("circle", { class: l.superseded_by ? "knot past" : "knot holds", cx: x(i), cy: y[i], r: l.id === id ? 7 : 5 })));
  };
  new ResizeObserver(() => requestAnimationFrame(draw)).observe(box);
  return box;
}

// lanes says side by side in which lanes the ways run, that lead from each to its
// next, so that none runs through another.
function lanes(next) {
  const lane = next.map(() => 0), until = [];
  for (let i = next.length - 1; i >= 0; i--) { // what took the place is known first
    const j = next[i];
    const others = next.some((other, k) => other === j && k > i && lane[k] === lane[j]);
    if (j > i && !others) {
      lane[i] = lane[j];
    } else {
      lane[i] = 0;
      while (until[lane[i]] !== undefined && until[lane[i]] <= Math.max(i, j)) lane[i]++;
    }
    until[lane[i]] = i;
  }
  return lane;
}

// share is a small bar of a list.
function share(part, of, kind) {
  return v("svg", { class: "share " + (kind || ""), viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    v("rect", { class: "room", x: 0, y: 0, width: 100, height: 8 }), v("rect", { class: "full", x: 0, y: 0, width: of > 0 ? Math.min(100, 100 * part / of) : 0, height: 8 }));
}
