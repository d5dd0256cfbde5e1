"use strict";
// The little of markdown that a CONTEXT.md is written in. Links stay text, and so
// does everything else that is not known here.

const kinds_ = [
  ["`", (text) => h("code", null, text)],
  ["**", (text) => h("strong", null, text)],
  ["~~", (text) => h("s", null, text)],
];

function phrase(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|~~[^~]+~~)/).map((part) => {
    const kind = kinds_.find(([mark]) => part.length > 2 * mark.length && part.startsWith(mark) && part.endsWith(mark));
    return kind ? kind[1](part.slice(kind[0].length, -kind[0].length)) : part;
  });
}

// prose shows a document whose headings stand below one of the level above.
function prose(text, above) {
  const out = [];
  let level = above, list = null, words = null, code = null;
  const end = () => { list = words = null; };
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(```|~~~)/.test(line)) {
      end();
      if (code) code = null;
      else out.push(code = h("pre", { tabindex: 0, role: "region", "aria-label": "Code" }));
      continue;
    }
    if (code) {
      code.append(visible(line) + "\n");
      continue;
    }
    if (line.trim() === "" || /^<!-- forgemind: [\w=:;,. -]*-->$/.test(line)) {
      end();
      continue;
    }
    const heading = /^(#{1,6})\s+(.*)$/.exec(line), item = /^\s*(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/.exec(line);
    if (heading) {
      end();
      level = Math.min(6, level + 1, above + heading[1].length);
      out.push(h("h" + level, null, phrase(heading[2])));
    } else if (item) {
      const tag = item[1] ? "ul" : "ol";
      if (!list || list.localName !== tag) out.push(list = h(tag, tag === "ol" ? { start: item[2] } : null));
      words = null;
      list.append(h("li", null, phrase(item[3])));
    } else if (list && /^\s/.test(line)) {
      fill(list.lastChild, null, [" ", phrase(line.trim())]);
    } else {
      list = null;
      if (!words) out.push(words = h("p", null));
      else words.append("\n");
      fill(words, null, [phrase(line)]);
    }
  }
  return h("div", { class: "prose" }, out);
}

// source is a text as it stands in its file.
function source(label, text) {
  return h("pre", { tabindex: 0, role: "region", "aria-label": label }, text);
}
