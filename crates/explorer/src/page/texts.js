// Texts: the source, the text of a stage, differences, and the panes of other stages.

function buildSource() {
  const origins = new Set();
  const add = (origin) => origin && origins.add(origin);
  for (const it of data.stages) {
    it.nodes.forEach((node) => add(node.origin));
    it.lines.flat().forEach(add);
    it.steps.list.forEach((step) => add(step.origin));
  }
  const ranges = [...origins].map((it) => it.split("-").map(Number))
    .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  let [at, start] = [0, 0];
  data.source.split("\n").forEach((text, index) => {
    const line = make("span");
    line.dataset.number = index + 1;
    // It is about the figures of the book, not about the program.
    line.hidden = /^\/\/ show:/.test(text);
    let used = 0;
    for (; at < ranges.length && ranges[at][0] < start + text.length; at++) {
      const first = ranges[at][0] - start;
      // Of a long range, the part before the range inside of it.
      const next = at + 1 < ranges.length ? ranges[at + 1][0] - start : text.length;
      const last = Math.min(ranges[at][1] - start, next, text.length);
      if (first < used || last <= first) continue;
      const token = make("span", { className: "token", textContent: text.slice(first, last) });
      token.dataset.origin = ranges[at].join("-");
      line.append(text.slice(used, first), token);
      used = last;
    }
    line.append(text.slice(used) || (used > 0 ? "" : " "));
    start += text.length + 1;
    $("source").append(line);
  });
  const choose = (event) => {
    const token = event.target.closest(".token") || event.target.querySelector(".token");
    if (token) selectOrigin(token.dataset.origin);
  };
  $("source").addEventListener("click", choose);
  roam($("source"), ".token", choose);
}

// The arrow keys lead from place to place in a text: left and right to the next one, up and down to
// another line. Enter selects.
function roam(block, places, choose) {
  const line = (it) => it.closest(LINES);
  const next = (items, at, key) => {
    if (at < 0) return items[0];
    const others = {
      ArrowRight: items.slice(at + 1),
      ArrowLeft: items.slice(0, at).reverse(),
      ArrowDown: items.slice(at + 1).filter((it) => line(it) !== line(items[at])),
      ArrowUp: items.slice(0, at).reverse().filter((it) => line(it) !== line(items[at])),
    }[key];
    return others && others[0];
  };
  block.addEventListener("keydown", (event) => {
    if (event.key === "Enter") return choose(event);
    if (!event.key.startsWith("Arrow")) return undefined;
    const items = [...block.querySelectorAll(places)];
    const lit = items.findIndex((it) => it.matches(".lit"));
    const own = items.indexOf(event.target);
    const place = own < 0 && lit >= 0 ? items[lit] : next(items, own, event.key);
    if (!place) return undefined;
    event.preventDefault();
    place.tabIndex = -1;
    place.setAttribute("role", "button");
    place.focus();
    return undefined;
  });
}

// The lines of all texts: those of long ones are in parts.
const LINES = ":is(pre, pre > div) > span";

const linesOf = (of) => of.listing.replace(/\n$/, "").split("\n");

// A line of a text has the places in the source that it was made for.
function lineOf(of, text, index) {
  const line = make("span", { textContent: text || " " });
  if ((of.lines[index] || []).length > 0) line.dataset.origin = of.lines[index].join(" ");
  return line;
}

// The element for the text of a stage.
function blockOf(of, ...children) {
  const block = make("pre", { tabIndex: 0 }, ...children);
  block.setAttribute("role", "group");
  block.setAttribute("aria-label", `Text of ${of.name}`);
  const choose = (event) => {
    const line = event.target.closest("[data-origin]");
    if (line) selectOrigin(line.dataset.origin.split(" ")[0]);
  };
  block.addEventListener("click", choose);
  roam(block, "[data-origin]", choose);
  return block;
}

const textOf = (of) =>
  blockOf(of, ...linesOf(of).map((text, index) => lineOf(of, text, index)));

// The lines of a difference.
function marked(rows, label = "Difference") {
  const line = ([className, it]) => make("span", { className, textContent: it || " " });
  const block = make("pre", { tabIndex: 0 }, ...rows.map(line));
  block.setAttribute("role", "group");
  block.setAttribute("aria-label", label);
  return block;
}

// The texts of both compilations: a line that one of them lacks is blank there.
function columns(rows, before) {
  const lines = before.values();
  const old = rows.map(([name]) => name === "added" ? ["", ""] : [name, lines.next().value]);
  const now = rows.map(([name, it]) => name === "removed" ? ["", ""] : [name, it]);
  return make("div", { className: "columns" },
    marked(old, `Text of ${state.compare}`), marked(now, `Text of ${stage().name}`));
}

let shownText = "";

function showText() {
  const key = `${state.stage} ${state.compare}`;
  if (key === shownText) return;
  shownText = key;
  const other = data.stages[stageNamed(state.compare)];
  if (other && other !== stage()) {
    const [before, after] = [other, stage()].map((it) => it.listing.split("\n"));
    const rows = difference(before, after);
    const isPair = state.compare === stage().beside;
    $("text").replaceChildren(isPair ? columns(rows, before) : marked(rows));
    return;
  }
  const blocks = [textOf(stage())];
  const isShort = stage().text !== stage().listing && stage().text.length < 4000;
  if (isShort) blocks.unshift(make("pre", { tabIndex: 0, textContent: stage().text.trimEnd() }));
  $("text").replaceChildren(...blocks);
}

// Few lines of the texts beside the stages are seen. They are made in parts of so many lines: the
// first one, those that are scrolled to, and that of the selected place.
const PART = 50;
let unmade = new Map();
const seen = new IntersectionObserver((entries) => {
  for (const { target } of entries.filter((it) => it.isIntersecting)) {
    [target.previousSibling, target, target.nextSibling].forEach(fill);
  }
});

// Columns that are blank in all lines are left out, but two between texts: the panes are narrow.
function narrowed(lines) {
  const used = new Set();
  for (const line of lines.filter((it) => it.startsWith(" "))) {
    for (let at = 0; at < line.length; at++) if (line[at] !== " ") used.add(at);
  }
  const isNeeded = (line, at) =>
    !line.startsWith(" ") || [at, at + 1, at + 2].some((it) => used.has(it));
  return lines.map((line) => [...line].filter((_, at) => isNeeded(line, at)).join(""));
}

function partsOf(of) {
  const lines = narrowed(linesOf(of));
  const parts = [];
  for (let start = 0; start < lines.length; start += PART) {
    const texts = lines.slice(start, start + PART);
    const part = make("div");
    part.style.minHeight = `${texts.length * LINE_HEIGHT}em`;
    unmade.set(part, () => texts.map((text, index) => lineOf(of, text, start + index)));
    seen.observe(part);
    parts.push(part);
  }
  fill(parts[0]);
  return parts;
}

// That of all texts, in the style of the page.
const LINE_HEIGHT = 1.5;

function fill(part) {
  if (!unmade.has(part)) return;
  part.append(...unmade.get(part)());
  unmade.delete(part);
  for (const line of part.children) line.classList.toggle("lit", isAtPlace(line));
}

function buildLinked() {
  seen.disconnect();
  unmade = new Map();
  data.stages.forEach((it, index) => {
    if (!it.linked) return;
    const title = make("h2", {}, command(it.name, () => go({ stage: index })));
    $("linked-pane").append(make("div", {}, title, blockOf(it, ...partsOf(it))));
  });
}

// Makes the lines of the selected place in the texts beside the stages.
function fillSelected() {
  if (state.origin === "") return;
  const linked = data.stages.filter((it) => it.linked);
  for (const [index, block] of $("linked-pane").querySelectorAll("pre").entries()) {
    const line = linked[index].lines.findIndex((places) => places.includes(state.origin));
    if (line >= 0) fill(block.children[Math.floor(line / PART)]);
  }
}

const isAtPlace = (line) =>
  state.origin !== "" && (line.dataset.origin || "").split(" ").includes(state.origin);

// Marks the lines and tokens of the selected place, and scrolls each pane to the first.
function lightTexts(words) {
  fillSelected();
  const isNamed = state.node !== "" && stage().named;
  const name = isNamed && new RegExp(`^\\s*${state.node}\\b`);
  for (const block of document.querySelectorAll("#linked-pane pre, #text pre")) {
    const isStage = block.closest("#text") !== null;
    let first = null;
    for (const line of block.querySelectorAll(LINES)) {
      const isNode = isStage && isNamed && name.test(line.textContent);
      const isFound = isStage && words !== "" && line.textContent.toLowerCase().includes(words);
      line.classList.toggle("lit", isAtPlace(line) || isNode || isFound);
      if (first === null && line.classList.contains("lit")) first = line;
    }
    reveal(block, first);
  }
  let first = null;
  for (const token of $("source").querySelectorAll(".token")) {
    token.classList.toggle("lit", token.dataset.origin === state.origin);
    if (first === null && token.dataset.origin === state.origin) first = token;
  }
  reveal($("source"), first);
}

function reveal(block, line) {
  if (line === null || block.clientHeight === 0) return;
  const [outer, inner] = [block.getBoundingClientRect(), line.getBoundingClientRect()];
  const isVisible = inner.top >= outer.top && inner.bottom <= outer.bottom;
  if (!isVisible) block.scrollTop += inner.top - outer.top - outer.height / 3;
  const isBeside = inner.left < outer.left || inner.right > outer.right;
  if (!isBeside || !line.matches(".token")) return;
  block.scrollLeft += inner.left - outer.left - outer.width / 2;
}
