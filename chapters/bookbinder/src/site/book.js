// The search: the index is loaded at the first letter, as a script, since files have no server.
"use strict";

const field = document.getElementById("search");
const found = document.getElementById("found");
const base = field.dataset.index.replace(/search\.js$/, "");
let loading = null;

if (matchMedia("(max-width: 820px)").matches) {
  document.querySelector("nav details")?.removeAttribute("open");
}

function load() {
  loading = loading || new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = field.dataset.index;
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });
  return loading;
}

// Sections with all words; those with a word in the title come first.
function search(words) {
  const rows = window.bookIndex.flatMap(([target, title, place, prose]) => {
    const [head, text] = [`${title} ${place}`.toLowerCase(), prose.toLowerCase()];
    if (!words.every((word) => head.includes(word) || text.includes(word))) return [];
    const rank = words.filter((word) => title.toLowerCase().includes(word)).length;
    return [{ target, title, place, prose, rank }];
  });
  return rows.sort((a, b) => b.rank - a.rank).slice(0, 30);
}

function excerpt(prose, word) {
  const at = Math.max(0, prose.toLowerCase().indexOf(word));
  const start = Math.max(0, at - 60);
  const mark = document.createElement("mark");
  mark.textContent = prose.slice(at, at + word.length);
  return [prose.slice(start, at), mark, prose.slice(at + word.length, at + 120)];
}

function show(rows, words) {
  const items = rows.map(({ target, title, place, prose }) => {
    const item = document.createElement("p");
    const link = document.createElement("a");
    link.href = base + target;
    link.textContent = title;
    const small = document.createElement("small");
    small.append(place ? ` ${place}` : "", document.createElement("br"), ...excerpt(prose, words[0]));
    item.append(link, small);
    return item;
  });
  found.replaceChildren(...(items.length > 0 ? items : ["Nothing was found."]));
}

field.addEventListener("input", async () => {
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  found.hidden = words.length === 0;
  if (words.length === 0) return;
  await load();
  show(search(words), words);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== field) {
    event.preventDefault();
    field.focus();
  }
  if (event.key === "Escape") {
    field.value = "";
    found.hidden = true;
  }
});
