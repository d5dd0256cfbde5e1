"use strict";
// Lists: filters above, pages below.

// filters is the form of a list. Fields are {name, label, type, options}; what is
// typed is looked for after a moment.
function filters(fields, state) {
  let timer = 0;
  const form = h("form", { class: fields.length > 3 ? "filters" : "filters few", role: "search", "aria-label": "Filter", on: { submit: (e) => { e.preventDefault(); apply(); } } });
  function apply() {
    clearTimeout(timer);
    const params = {};
    for (const field of fields) {
      const input = form.elements[field.name];
      params[field.name] = input.type === "checkbox" ? (input.checked ? "1" : "") : input.value;
    }
    go(address(state.view, state.ids, params));
  }
  // Where there is little room, only the first of many fields is open.
  const wide = matchMedia("(min-width: 36rem)").matches || fields.slice(1).some((field) => state.params[field.name]);
  const rest = fields.length > 3 ? h("details", { class: "rest", open: wide }, h("summary", null, "More filters")) : null;
  for (const field of fields) {
    const value = state.params[field.name] || "";
    const id = "filter-" + field.name;
    let input;
    if (field.type === "select") {
      input = h("select", { id, name: field.name, on: { change: apply } });
      options(input, field.options || [], value, field.any);
    } else if (field.type === "checkbox") {
      input = h("input", { id, name: field.name, type: "checkbox", checked: value !== "", on: { change: apply } });
    } else {
      const later = () => { clearTimeout(timer); timer = setTimeout(apply, 150); };
      input = h("input", { id, name: field.name, type: field.type || "search", value, autocomplete: "off", on: { input: later } });
    }
    (field === fields[0] || !rest ? form : rest).append(h("div", { class: "field " + (field.type || "search") }, h("label", { for: id }, field.label), input));
    if (field === fields[0] && rest) form.append(rest);
  }
  return form;
}

// options are the values of a select; what is chosen stays although it is not
// among them any more.
function options(select, list, value, any) {
  const values = list.map((o) => typeof o === "string" ? { value: o, label: o } : { value: o.value, label: o.label || o.value + " (" + number(o.count) + ")" });
  if (value && !values.some((o) => o.value === value)) values.push({ value, label: value });
  select.replaceChildren(h("option", { value: "" }, any || "all"),
    ...values.map((o) => h("option", { value: o.value, selected: o.value === value }, o.label)));
  select.value = value;
}

// refill puts what a server counted into a select of the form.
function refill(name, list, any) {
  const select = document.getElementById("filter-" + name);
  if (select && document.activeElement !== select) options(select, list || [], select.value, any);
}

// shown says how much of a list is to be seen.
function shown(data, word, more) {
  const last = Math.min(data.offset + data.limit, data.matched);
  let text = data.matched === 0 ? "No " + word + (data.total > 0 ? " fits" : "") : count(data.matched, word);
  if (data.matched > data.limit) text += ", " + number(data.offset + 1) + " to " + number(last);
  if (data.matched !== data.total && data.total > 0) text += " (of " + number(data.total) + ")";
  return h("p", { class: "shown", id: "shown", tabindex: -1 }, text, more ? h("span", { class: "quiet" }, " · " + more) : null);
}

// pager leads through the pages of a list.
function pager(data, state) {
  if (data.matched <= data.limit) return null;
  const to = (offset, text, there) => there
    ? link(text, state.view, state.ids, { ...state.params, offset }, { class: "button", on: { click: () => { state.paged = true; } } })
    : h("span", { class: "button off", "aria-disabled": "true" }, text);
  const page = Math.floor(data.offset / data.limit) + 1;
  const pages = Math.ceil(data.matched / data.limit);
  return h("nav", { class: "pager", "aria-label": "Pages" },
    to(Math.max(0, data.offset - data.limit), "Previous", data.offset > 0),
    h("span", null, "page " + number(page) + " of " + number(pages)),
    to(data.offset + data.limit, "Next", data.offset + data.limit < data.matched));
}

// references are texts, of which those that are ids of decisions lead there.
function references(list) {
  return list.length === 0 ? null : h("ul", { class: "plain" }, list.map((text) => h("li", null,
    /^[A-Za-z0-9]+-[A-Za-z0-9._-]+$/.test(text) ? link(text, "decisions", text) : text)));
}

function faults(list) {
  if (!list || list.length === 0) return null;
  return more("faults", (list.length === 1 ? "One place" : number(list.length) + " places") + " could not be read",
    h("ul", null, list.map((f) => h("li", null, h("code", null, f.file), ": ", f.why))));
}
