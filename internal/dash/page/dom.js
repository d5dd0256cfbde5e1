"use strict";
// What the views are made with. A text never becomes markup: it goes into text
// nodes, with what is invisible or turns the direction of writing made visible.

const token = new URLSearchParams(location.search).get("token") || "";

function visible(text) {
  return String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (c) => c === "\r" ? "" : "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false || child === "") continue;
    node.append(child instanceof Node ? child : document.createTextNode(visible(child)));
  }
  return node;
}

// h makes an element, v one of a drawing.
function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}
function v(tag, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function number(n) { return Number(n || 0).toLocaleString("en"); }
function count(n, word) { return number(n) + " " + word + (n === 1 ? "" : "s"); }
function percent(ratio) { return (Math.round(ratio * 1000) / 10).toLocaleString("en") + "\u00a0%"; }

const moments = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const days = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const months = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric" });

// instant is a time of the tree; one without a zone is UTC.
function instant(text) {
  const zone = /[T ][\d:.]+$/.test(text) ? "Z" : "";
  return new Date(String(text).replace(/^(\d{4}-\d{2}-\d{2}) /, "$1T") + zone);
}

// time shows a time of the tree in the reader's zone; a text that is none as it is.
function time(text) {
  if (!text) return null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !isNaN(new Date(text))) return h("time", { datetime: text, class: "time" }, days.format(new Date(text)));
  const at = /^\d{4}-\d{2}-\d{2}[T ]/.test(text) ? instant(text) : null;
  if (!at || isNaN(at)) return h("span", { class: "time" }, text);
  return h("time", { datetime: at.toISOString(), class: "time" }, moments.format(at));
}

// moment_ is a time as letters of a drawing.
function moment_(text) {
  const at = instant(text);
  return isNaN(at) ? "" : moments.format(at);
}

function month(text) {
  const at = new Date(text || "");
  return isNaN(at) ? "Without a time" : months.format(at);
}

function badge(text, kind) { return h("span", { class: "badge " + (kind || "") }, text); }

// facts is a list of names and what they are; those without are left out.
function facts(pairs) {
  const rows = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0));
  if (rows.length === 0) return null;
  return h("dl", { class: "facts" }, rows.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
}

function bullets(list) {
  return list && list.length > 0 ? h("ul", { class: "plain" }, list.map((text) => h("li", null, text))) : null;
}

// table is small figures for those who cannot see, or trust, a drawing. Wide
// ones are scrolled, by keys too.
function table(caption, heads, rows) {
  return h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": caption },
    h("table", null, h("caption", null, caption),
      h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", null, rows.map((row) => h("tr", null, row.map((cell, i) => h(i === 0 ? "th" : "td", i === 0 ? { scope: "row" } : null, cell)))))));
}

function more(key, summary, ...children) {
  return h("details", { "data-key": key }, h("summary", { "data-key": "summary-" + key }, summary), children);
}

// card is a section on paper.
function card(title, ...children) {
  return h("section", { class: "card" }, h("h2", null, title), children);
}

// later is a detail that is asked for when it is opened.
function later(key, summary, get) {
  const box = h("div");
  const node = more(key, summary, box);
  let asked = false;
  node.addEventListener("toggle", async () => {
    if (!node.open || asked) return;
    asked = true;
    try {
      box.replaceChildren(await get());
    } catch (failed) {
      asked = false;
      box.replaceChildren(h("p", { class: "note" }, failed.message));
    }
  });
  return node;
}

function section(title, ...children) {
  return h("section", null, h("h2", null, title), children);
}

// api asks the server; the answer is an object, or an error with its sentence.
async function api(path, params, signal) {
  const query = params ? "?" + new URLSearchParams(params) : "";
  const answer = await fetch("api/" + path + query, { headers: { Authorization: "Bearer " + token }, signal });
  const text = await answer.text();
  let value = null;
  try { value = JSON.parse(text); } catch { /* a refusal is plain text */ }
  if (!answer.ok) {
    const failed = new Error((value && value.error) || text || answer.statusText);
    failed.status = answer.status;
    throw failed;
  }
  return value;
}

// link leads to a view: "decisions", an id of it, and filters.
function address(view, ids, params) {
  const path = [view, ...[].concat(ids || [])].map(encodeURIComponent).join("/");
  const kept = Object.entries(params || {}).filter(([, value]) => value !== "" && value !== undefined && value !== null && value !== 0);
  return "#/" + path + (kept.length > 0 ? "?" + new URLSearchParams(kept) : "");
}
function link(text, view, ids, params, attributes) {
  const href = address(view, ids, params);
  return h("a", { href, "data-key": "a" + href, ...attributes }, text);
}

let silence = 0;
// say tells those who listen to the page, once it is quiet.
function say(text) {
  clearTimeout(silence);
  silence = setTimeout(() => { document.getElementById("said").textContent = visible(text); }, 200);
}

const views = {};
