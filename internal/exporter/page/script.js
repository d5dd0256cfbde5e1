"use strict";
(() => {
  const form = document.getElementById("filter");
  const words = document.getElementById("words");
  const kind = document.getElementById("kind");
  const current = document.getElementById("current");
  const count = document.getElementById("count");
  const items = [...document.querySelectorAll("article")].map((article) => ({
    article, kind: article.parentElement.dataset.kind, closed: article.classList.contains("closed"), text: article.textContent.toLowerCase(),
  }));

  const apply = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const item of items) {
      const fits = (!kind.value || kind.value === item.kind) && !(current.checked && item.closed) && wanted.every((word) => item.text.includes(word));
      item.article.hidden = !fits;
      shown += fits;
    }
    for (const section of document.querySelectorAll("section")) {
      section.hidden = !section.querySelector("article:not([hidden])");
    }
    count.textContent = shown === items.length ? `${shown} entries` : `${shown} of ${items.length} entries`;
  };

  // A link may lead to an entry that is filtered out.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.closest("[hidden]")) {
      form.reset();
      apply();
      target.scrollIntoView();
    }
  };

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", apply);
  window.addEventListener("hashchange", reveal);
  apply();
})();
