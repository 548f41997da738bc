// The difference of two stages: as two graphs with coloured nodes, and as texts line by line.

// Stages number their nodes anew. In graphs of one family, nodes are the same if their places in
// the source and their operations are; otherwise only the places are compared.
function keysOf(of, isFamily) {
  const counts = new Map();
  const keys = new Map();
  for (const node of of.nodes) {
    const operation = isFamily ? firstLine(node).replace(/^n\d+ /, "") : "";
    if (!isFamily && !node.origin) continue;
    const key = `${node.origin || ""} ${operation}`;
    counts.set(key, (counts.get(key) || 0) + 1);
    keys.set(node.name, isFamily ? `${key} ${counts.get(key)}` : key);
  }
  return keys;
}

function showDifference() {
  const other = compared();
  const isShown = state.view === "graph" && other && other !== stage() && other.drawing !== null
    && stage().drawing !== null;
  for (const id of ["before", "changes"]) $(id).hidden = !isShown;
  for (const it of $("canvas").querySelectorAll(".new, .changed")) {
    if (state.view === "graph") it.classList.remove("new", "changed");
  }
  if (!isShown) return $("before").replaceChildren();
  draw($("before"), other.drawing, other);
  zoom();
  showFirst($("before"));
  const isFamily = other.family === stage().family;
  const [before, after] = [other, stage()].map((it) => keysOf(it, isFamily));
  const removed = markNodes($("before"), before, after, "old");
  const added = markNodes($("canvas"), after, before, "new");
  const changed = isFamily ? markTypes(before, after) : 0;
  if (isFamily) {
    markEdges($("before"), before, $("canvas"), after, "old");
    markEdges($("canvas"), after, $("before"), before, "new");
  }
  const types = isFamily ? `with another type: ${changed}`
    : "compared by their places in the source";
  $("changes").textContent =
    `${other.name} → ${stage().name}. Nodes removed: ${removed}, added: ${added}; ${types}.`;
  return undefined;
}

// Marks the nodes of a canvas that the other graph has not; returns their number.
function markNodes(canvas, keys, others, className) {
  const known = new Set(others.values());
  const elements = [...nodeElements(canvas)].filter((it) => keys.has(it.dataset.node));
  const alone = elements.filter((it) => !known.has(keys.get(it.dataset.node)));
  alone.forEach((it) => it.classList.add(className));
  return alone.length;
}

function markTypes(before, after) {
  const type = (of, name) => of.byName.get(name).text.split("\n").slice(1).join(" ");
  const types = new Map([...before].map(([name, key]) => [key, type(compared(), name)]));
  const isOther = (name, key) => types.has(key) && types.get(key) !== type(stage(), name);
  const names = new Set([...after].filter((it) => isOther(...it)).map(([name]) => name));
  for (const it of nodeElements()) it.classList.toggle("changed", names.has(it.dataset.node));
  return names.size;
}

function markEdges(canvas, keys, otherCanvas, otherKeys, className) {
  const key = (it, of) => `${of.get(it.dataset.from)} – ${of.get(it.dataset.to)}`;
  const known = new Set([...edgeElements(otherCanvas)].map((it) => key(it, otherKeys)));
  for (const it of edgeElements(canvas)) it.classList.toggle(className, !known.has(key(it, keys)));
}

// A line without the numbers of nodes, which are new in each stage.
const numberless = (line) => line.replace(/\bn\d+/g, "n").replace(/ +/g, " ");

// The longest common subsequence of lines; lines that differ in the numbers of nodes are the same.
// Of long texts, only the middle part that differs is compared line by line, and if that is long,
// too, it is listed as removed and added.
function difference(before, after) {
  const same = (it) => ["", it];
  const isSame = (one, other) => numberless(one) === numberless(other);
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && isSame(before[start], after[start])) start++;
  let end = 0;
  const last = shorter - start;
  while (end < last && isSame(before.at(-1 - end), after.at(-1 - end))) end++;
  const [old, now] = [before, after].map((it) => it.slice(start, it.length - end));
  const middle = old.length * now.length > 4e6
    ? [...old.map((it) => ["removed", it]), ...now.map((it) => ["added", it])]
    : subsequence(old, now);
  const tail = end > 0 ? after.slice(-end) : [];
  return [...after.slice(0, start).map(same), ...middle, ...tail.map(same)];
}

function subsequence(before, after) {
  const [olds, news] = [before, after].map((lines) => lines.map(numberless));
  const width = after.length + 1;
  const best = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      best[i * width + j] = olds[i] === news[j]
        ? best[(i + 1) * width + j + 1] + 1
        : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
    }
  }
  const rows = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    if (olds[i] === news[j]) {
      rows.push(["", after[j++]]);
      i++;
    } else if (best[i * width + j + 1] > best[(i + 1) * width + j]) {
      rows.push(["added", after[j++]]);
    } else {
      rows.push(["removed", before[i++]]);
    }
  }
  const rest = before.slice(i).map((it) => ["removed", it]);
  return [...rows, ...rest, ...after.slice(j).map((it) => ["added", it])];
}
