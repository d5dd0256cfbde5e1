"use strict";
// Which view is shown, and that it stays true.

const main = document.getElementById("main");
const order = [["", ["health"]], ["Project", ["decisions", "condensations", "projects"]], ["Discussion", ["threads", "channels", "handoffs", "sessions"]], ["Upkeep", ["drops", "triggers", "audit"]]];
const strokes = { // of pictures that are 20 wide and high
  health: "M2 10h4l2-5 4 10 2-5h4", decisions: "M10 2.5 17.5 10 10 17.5 2.5 10ZM7 10l2.2 2.2L13.2 8", condensations: "M5 2.5h7l3.5 3.5v11.5H5ZM8 9.5h4.5M8 13h4.5",
  projects: "M2.5 5h5l2 2h8v9h-15Z", threads: "M3 4h14v9H9.5L5.5 16.5V13H3Z", channels: "M7.5 3 6 17M14 3l-1.5 14M3.5 7.5h14M2.5 12.5h14",
  handoffs: "M3 7h12M12 4l3 3-3 3M17 13H5M8 10l-3 3 3 3", sessions: "M3 6.5 10 3l7 3.5L10 10ZM3 10l7 3.5 7-3.5M3 13.5 10 17l7-3.5",
  drops: "M10 2.5c3 4 5 6.3 5 9a5 5 0 0 1-10 0c0-2.7 2-5 5-9Z", triggers: "M11 2 4 11h5l-1 7 7-9h-5Z", audit: "M8.5 3a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM12.5 12.5 17 17",
};
let state = null; // {view, ids, params}
let body = null; // where the shown view stands
let last = ""; // the answer that is shown, as text
let asking = null;

function read() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/").filter(Boolean).map((part) => { try { return decodeURIComponent(part); } catch { return part; } });
  const view = Object.hasOwn(views, parts[0] || "") ? parts[0] : "health";
  return { view, ids: view === parts[0] ? parts.slice(1) : [], params: Object.fromEntries(new URLSearchParams(query || "")) };
}

// go leads to an address of this page without leaving an entry for each letter
// that is typed.
function go(href) {
  if (href === location.hash) return;
  history.replaceState(null, "", href);
  route();
}

function route() {
  const next = read();
  const same = state && state.view === next.view && state.ids.join("/") === next.ids.join("/");
  const paged = same && state.paged;
  const first = state === null;
  state = next;
  if (!same) begin(first);
  show(paged ? "page" : same ? "filter" : "view");
}

// begin puts up a view: its heading, its filters, and room for the rest.
function begin(first) {
  for (const a of document.querySelectorAll("#views a")) {
    if (a.dataset.view === state.view) a.setAttribute("aria-current", "page");
    else a.removeAttribute("aria-current");
  }
  menu(false);
  const view = views[state.view];
  const title = h("h1", { tabindex: -1, id: "title" }, state.ids.length > 0 ? "…" : view.title);
  body = h("div", { id: "body" }, h("p", { class: "quiet" }, "Loading…"));
  last = "";
  main.replaceChildren(...[
    state.ids.length > 0 ? h("p", { class: "back" }, link("← " + view.title, state.view)) : null, title,
    state.ids.length === 0 && view.fields ? filters(view.fields, state) : null, body].filter(Boolean));
  document.title = view.title + " · forgemind";
  scrollTo(0, 0);
  if (!first) title.focus({ preventScroll: true });
}

// show asks for the data of the view and puts it up where it is another than
// before. why says what for: view, filter, page, news.
async function show(why) {
  const now = state, part = now.ids.length > 0 && views[now.view].one ? views[now.view].one : views[now.view];
  if (asking) asking.abort();
  const asked = asking = new AbortController();
  body.setAttribute("aria-busy", "true");
  try {
    const data = await part.load(now, asked.signal);
    if (asked !== asking) return;
    const text = JSON.stringify(data, (key, value) => key === "at" && why === "news" && now.view === "health" && typeof value === "string" && value === data.at ? "" : value);
    if (text === last) return;
    const known = last !== "";
    last = text;
    if (part.title && typeof part.title === "function") {
      document.getElementById("title").replaceChildren(visible(part.title(data)));
      document.title = visible(part.title(data)).slice(0, 80) + " · forgemind";
    }
    if (data.tree) document.getElementById("tree").textContent = visible(data.tree);
    if (data.counts) pills(data.counts);
    put(part.body(data, now));
    if (why === "page") document.getElementById("shown")?.focus();
    else if (why === "filter") say(document.getElementById("shown")?.textContent || "");
    else if (why === "news" && known) say(views[now.view].title + ": changed on disk, and shown as it is now");
  } catch (failed) {
    if (asked !== asking || failed.name === "AbortError") return;
    last = "";
    const gone = failed.status === 404 ? "There is nothing of that name, or no longer." : failed.status ? failed.message : "forgemind does not answer; is 'forgemind dashboard' still running?";
    if (part.title && typeof part.title === "function") document.getElementById("title").replaceChildren(failed.status === 404 ? "Not there" : "Not to be shown");
    put([h("p", { class: "note", role: "alert" }, gone)]);
  } finally {
    if (asked === asking) {
      asking = null;
      body.removeAttribute("aria-busy");
    }
  }
}

// put replaces what is shown. What was open stays open, and what had the focus
// keeps it.
function put(nodes) {
  const open = new Set([...body.querySelectorAll("details[open]")].map((d) => d.dataset.key));
  const at = body.contains(document.activeElement) ? document.activeElement : null;
  const key = at && (at.dataset.key || at.closest("[data-key]")?.dataset.key);
  const id = at && at.id;
  body.replaceChildren(...[nodes].flat(Infinity).filter((node) => node instanceof Node));
  for (const d of body.querySelectorAll("details")) d.open = open.has(d.dataset.key);
  if (!at) return;
  const same = (id && document.getElementById(id)) || [...body.querySelectorAll("[data-key]")].find((node) => node.dataset.key === key);
  (same || document.getElementById("title")).focus({ preventScroll: true });
}

// live listens to what changes on disk.
function live() {
  const shownLink = document.getElementById("link");
  const tell = (text, kind) => { shownLink.textContent = text; shownLink.className = "link " + kind; };
  let broken = false, timer = 0, counting = 0;
  const events = new EventSource("api/events?" + new URLSearchParams({ token }));
  events.addEventListener("hello", () => {
    tell("live", "holds");
    if (broken) show("news");
    broken = false;
  });
  events.addEventListener("change", (e) => {
    const { topics } = JSON.parse(e.data);
    if (state.view !== "health") {
      clearTimeout(counting);
      counting = setTimeout(tally, 500);
    }
    if (!views[state.view].topics.some((topic) => topics.includes(topic))) return;
    clearTimeout(timer);
    timer = setTimeout(() => show("news"), 50);
  });
  events.addEventListener("error", () => {
    broken = true;
    tell("not connected", "critical");
  });
}

// picture is that of a view.
function picture(view) {
  return v("svg", { class: "picture", viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" }, v("path", { d: strokes[view] }));
}

// pill shows a number beside a view's name.
function pill(view, n, kind) {
  const at = document.querySelector('#views a[data-view="' + view + '"] .pill');
  at.textContent = n > 0 ? number(n) : "";
  at.className = "pill " + (kind || "");
}

function pills(n) {
  pill("decisions", n.decisions);
  pill("condensations", n.condensations);
  pill("projects", n.projects, n.projects_behind > 0 ? "warning" : "");
  pill("threads", n.threads, n.threads_uncondensed > 0 ? "warning" : "");
  pill("channels", n.channels);
  pill("handoffs", n.handoffs_open);
}

// tally asks how much there is, for the views that do not know it.
async function tally() {
  try {
    const data = await api("health");
    pills(data.counts);
    document.getElementById("tree").textContent = visible(data.tree);
  } catch { /* the view that is shown says why */ }
}

// menu shows and hides the views where there is little room.
function menu(open) {
  document.getElementById("menu").setAttribute("aria-expanded", String(open));
  document.getElementById("views").classList.toggle("open", open);
}

document.getElementById("views").append(...order.map(([name, list], i) => h("div", { class: "group" },
  name ? h("p", { id: "group-" + i }, name) : null,
  h("ul", name ? { "aria-labelledby": "group-" + i } : null, list.map((view) => h("li", null,
    h("a", { href: address(view), "data-view": view }, picture(view), h("span", null, views[view].title), " ", h("span", { class: "pill" }))))))));
document.getElementById("menu").addEventListener("click", (e) => menu(e.currentTarget.getAttribute("aria-expanded") !== "true"));
document.getElementById("views").addEventListener("keydown", (e) => {
  if (e.key !== "Escape" || !e.currentTarget.classList.contains("open")) return;
  menu(false);
  document.getElementById("menu").focus();
});
document.getElementById("skip").addEventListener("click", (e) => { e.preventDefault(); main.focus(); });
addEventListener("hashchange", route);
addEventListener("visibilitychange", () => { if (!document.hidden && state.view === "health" && !asking) show("news"); });
route();
if (state.view !== "health") tally();
live();
