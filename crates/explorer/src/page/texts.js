// Texts: the source, the text of a stage, differences, and the panes of other stages.

function buildSource() {
  const origins = new Set();
  const add = (origin) => origin && origins.add(origin);
  for (const it of data.stages) {
    it.nodes.forEach((node) => add(node.origin));
    it.lines.flat().forEach(add);
    it.steps.list.forEach((step) => add(step.origin));
  }
  const ranges = [...origins].map((it) => it.split("-").map(Number)).sort((a, b) => a[0] - b[0]);
  let [at, start] = [0, 0];
  data.source.split("\n").forEach((text, index) => {
    const line = make("span", { tabIndex: 0 });
    line.dataset.number = index + 1;
    let used = 0;
    for (; at < ranges.length && ranges[at][0] < start + text.length; at++) {
      const [first, last] = ranges[at].map((it) => it - start);
      if (first < used || last > text.length) continue;
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
  $("source").addEventListener("keydown", (event) => event.key === "Enter" && choose(event));
}

// A text by lines; each has the place in the source that it was made for.
function textOf(of) {
  const block = make("pre", { tabIndex: 0 });
  block.setAttribute("aria-label", `Text of ${of.name}`);
  const lines = of.listing.replace(/\n$/, "").split("\n");
  block.append(...lines.map((text, index) => {
    const line = make("span", { textContent: text || " " });
    if ((of.lines[index] || []).length > 0) line.dataset.origin = of.lines[index].join(" ");
    return line;
  }));
  block.addEventListener("click", (event) => {
    const line = event.target.closest("[data-origin]");
    if (line) selectOrigin(line.dataset.origin.split(" ")[0]);
  });
  return block;
}

let shownText = "";

function showText() {
  const key = `${state.stage} ${state.compare}`;
  if (key === shownText) return;
  shownText = key;
  const other = data.stages[stageNamed(state.compare)];
  if (other && other !== stage()) {
    const [before, after] = [other, stage()].map((it) => it.listing.split("\n"));
    const line = ([className, it]) => make("span", { className, textContent: it || " " });
    $("text").replaceChildren(make("pre", { tabIndex: 0 }, ...difference(before, after).map(line)));
    return;
  }
  const blocks = [textOf(stage())];
  const isShort = stage().text !== stage().listing && stage().text.length < 4000;
  if (isShort) blocks.unshift(make("pre", { tabIndex: 0, textContent: stage().text.trimEnd() }));
  $("text").replaceChildren(...blocks);
}

// The longest common subsequence of lines. Of long texts, only the middle part that differs is
// compared line by line, and if that is long, too, it is listed as removed and added.
function difference(before, after) {
  const same = (it) => ["", it];
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const [old, now] = [before, after].map((it) => it.slice(start, it.length - end));
  const middle = old.length * now.length > 4e6
    ? [...old.map((it) => ["removed", it]), ...now.map((it) => ["added", it])]
    : subsequence(old, now);
  const tail = end > 0 ? after.slice(-end) : [];
  return [...after.slice(0, start).map(same), ...middle, ...tail.map(same)];
}

function subsequence(before, after) {
  const width = after.length + 1;
  const best = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      best[i * width + j] = before[i] === after[j]
        ? best[(i + 1) * width + j + 1] + 1
        : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
    }
  }
  const rows = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      rows.push(["", before[i++]]);
      j++;
    } else if (best[i * width + j + 1] > best[(i + 1) * width + j]) {
      rows.push(["added", after[j++]]);
    } else {
      rows.push(["removed", before[i++]]);
    }
  }
  const rest = before.slice(i).map((it) => ["removed", it]);
  return [...rows, ...rest, ...after.slice(j).map((it) => ["added", it])];
}

function buildLinked() {
  data.stages.forEach((it, index) => {
    if (!it.linked) return;
    const title = make("h2", {}, command(it.name, () => go({ stage: index })));
    $("linked-pane").append(make("div", {}, title, textOf(it)));
  });
}

// Marks the lines and tokens of the selected place, and scrolls each pane to the first.
function lightTexts(words) {
  const isNamed = state.node !== "" && stage().named;
  const name = isNamed && new RegExp(`^\\s*${state.node}\\b`);
  for (const block of document.querySelectorAll("#linked-pane pre, #text pre")) {
    const isStage = block.closest("#text") !== null;
    let first = null;
    for (const line of block.children) {
      const origins = (line.dataset.origin || "").split(" ");
      const isPlace = state.origin !== "" && origins.includes(state.origin);
      const isNode = isStage && isNamed && name.test(line.textContent);
      const isFound = isStage && words !== "" && line.textContent.toLowerCase().includes(words);
      line.classList.toggle("lit", isPlace || isNode || isFound);
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
}
