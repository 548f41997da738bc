// The explorer: shows the data of the page. Its state is in the address, so it can be linked.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const state = { stage: 0, view: "graph", node: "", origin: null, step: 0, compare: "", zoom: 1 };
const hidden = new Set();

// Small helpers.

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function stage() {
  return data.stages[state.stage];
}

function nodesOf(of) {
  return of.nodes || [];
}

function nodeNamed(of, name) {
  return nodesOf(of).find((node) => node.name === name);
}

function firstLine(node) {
  return node.text.split("\n")[0];
}

// The address: #stage=firm&view=graph&node=n12&step=7

function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const index = data.stages.findIndex((it) => it.name === parts.get("stage"));
  state.stage = index < 0 ? state.stage : index;
  state.node = parts.get("node") || "";
  state.step = Number(parts.get("step")) || 0;
  state.compare = parts.get("compare") || "";
  const view = parts.get("view") || (parts.has("step") ? "steps" : state.view);
  state.view = available(view) ? view : firstView();
  const node = nodeNamed(stage(), state.node);
  state.origin = node && node.origin !== null ? node.origin : null;
}

function writeAddress() {
  const parts = new URLSearchParams({ stage: stage().name, view: state.view });
  if (state.node) parts.set("node", state.node);
  if (state.view === "steps") parts.set("step", state.step);
  if (state.compare) parts.set("compare", state.compare);
  history.replaceState(null, "", "#" + parts);
}

function available(view) {
  if (view === "graph") return Boolean(stage().svg || stage().reason);
  if (view === "steps") return stage().steps.list.length > 0;
  return true;
}

function firstView() {
  return ["graph", "text"].find(available);
}

// The frame of the page.

function buildTabs() {
  data.stages.forEach((it, index) => {
    const before = index > 0 ? data.stages[index - 1] : null;
    const isSame = before !== null && before.text === it.text;
    const count = it.nodes ? make("small", { textContent: ` ${it.nodes.length}` }) : "";
    const tab = make("button", { type: "button", id: `tab-${it.name}` }, it.name, count);
    tab.setAttribute("role", "tab");
    tab.classList.toggle("same", isSame);
    tab.title = isSame ? "as the stage before it" : it.nodes ? `${it.nodes.length} nodes` : "";
    tab.addEventListener("click", () => go({ stage: index }));
    $("tabs").append(tab);
  });
  $("tabs").addEventListener("keydown", (event) => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!move) return;
    event.preventDefault();
    const count = data.stages.length;
    go({ stage: (state.stage + move + count) % count });
    $("tabs").children[state.stage].focus();
  });
  $("compare").append(make("option", { value: "", textContent: "nothing" }));
  for (const it of data.stages) {
    $("compare").append(make("option", { value: it.name, textContent: it.name }));
  }
}

function buildSource() {
  let offset = 0;
  data.source.split("\n").forEach((text, index) => {
    const line = make("span", { className: "line", textContent: text || " ", tabIndex: 0 });
    line.dataset.number = index + 1;
    line.dataset.start = offset;
    line.dataset.end = offset + new TextEncoder().encode(text).length;
    const select = () => selectLine(line);
    line.addEventListener("click", select);
    line.addEventListener("keydown", (event) => event.key === "Enter" && select());
    $("source").append(line);
    offset = Number(line.dataset.end) + 1;
  });
}

function selectLine(line) {
  const isIn = (node) => node.origin !== null && within(node.origin, line);
  const node = nodesOf(stage()).find(isIn);
  state.origin = Number(line.dataset.start);
  go(node ? { node: node.name, origin: node.origin } : { node: "" });
}

function within(origin, line) {
  return Number(line.dataset.start) <= origin && origin <= Number(line.dataset.end);
}

// Changes of the state, and the page after them.

function go(changes) {
  const other = "stage" in changes && changes.stage !== state.stage;
  Object.assign(state, changes);
  if (other) {
    state.step = 0;
    // The node of the same place in the source text.
    const same = nodesOf(stage()).find((it) => it.origin !== null && it.origin === state.origin);
    state.node = same ? same.name : "";
  }
  if (!available(state.view)) state.view = firstView();
  writeAddress();
  show();
}

function show() {
  for (const [index, tab] of [...$("tabs").children].entries()) {
    tab.setAttribute("aria-selected", String(index === state.stage));
    tab.tabIndex = index === state.stage ? 0 : -1;
  }
  for (const input of document.querySelectorAll("#views input")) {
    input.checked = input.value === state.view;
    input.disabled = !available(input.value);
  }
  $("compare").value = state.compare;
  $("stage-pane").setAttribute("aria-label", `Stage ${stage().name}`);
  $("canvas").hidden = state.view === "text";
  $("text").hidden = state.view !== "text";
  $("stepper").hidden = state.view !== "steps";
  if (state.view === "text") showText();
  if (state.view === "graph") showGraph(stage().svg, stage().reason);
  if (state.view === "steps") showSteps();
  filterNodes();
  light();
}

let drawn = null;

function showGraph(svg, reason) {
  if (drawn !== svg) {
    $("canvas").innerHTML = svg || "";
    drawn = svg;
    prepareNodes();
  }
  if (!svg) {
    const text = reason ? `${reason}: the text is complete` : "this stage has no graph";
    $("canvas").replaceChildren(make("p", { textContent: text }));
    drawn = null;
  }
  zoom();
}

function prepareNodes() {
  for (const node of $("canvas").querySelectorAll(".node")) {
    const info = nodeNamed(stage(), node.dataset.node);
    const text = info ? info.text.replaceAll("\n", ": ") : node.dataset.node;
    node.tabIndex = 0;
    node.setAttribute("role", "button");
    node.setAttribute("aria-label", text);
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = text;
    node.prepend(title);
  }
}

function zoom() {
  const svg = $("canvas").querySelector("svg");
  if (!svg) return;
  const { width, height } = svg.viewBox.baseVal;
  svg.setAttribute("width", width * state.zoom);
  svg.setAttribute("height", height * state.zoom);
}

function showText() {
  const text = stage().listing || stage().text;
  const other = data.stages.find((it) => it.name === state.compare);
  if (!other) {
    const lines = text.split("\n").map((line) => make("span", { textContent: line + "\n" }));
    $("text").replaceChildren(...lines);
    return;
  }
  const rows = difference((other.listing || other.text).split("\n"), text.split("\n"));
  const line = ([className, it]) => make("span", { className, textContent: it + "\n" });
  $("text").replaceChildren(...rows.map(line));
}

// The longest common subsequence of lines, or a plain listing of both if they are long.
function difference(before, after) {
  if (before.length * after.length > 4e6) {
    return [...before.map((it) => ["removed", it]), ...after.map((it) => ["added", it])];
  }
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
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      rows.push(["", before[i]]);
      i++;
      j++;
    } else if (j < after.length
      && (i === before.length || best[i * width + j + 1] > best[(i + 1) * width + j])) {
      rows.push(["added", after[j++]]);
    } else {
      rows.push(["removed", before[i++]]);
    }
  }
  return rows;
}

// Steps.

function showSteps() {
  const { list, svg, reason } = stage().steps;
  state.step = Math.max(0, Math.min(state.step, list.length - 1));
  const step = list[state.step];
  $("slider").max = list.length - 1;
  $("slider").value = state.step;
  $("count").textContent = `${state.step + 1} of ${list.length}`;
  $("rewrite").replaceChildren(
    make("span", { className: "rule", textContent: step.rule }),
    make("span", { className: "law", textContent: step.law }),
    make("div", {}, make("code", { textContent: step.before }), " → ",
      make("code", { textContent: step.after })));
  showGraph(svg, reason);
  if (!svg || !step.graph) return;
  const before = state.step > 0 ? list[state.step - 1].graph : null;
  for (const node of $("canvas").querySelectorAll(".node")) {
    const name = node.dataset.node;
    const isHere = name in step.graph.nodes;
    node.classList.toggle("gone", !isHere);
    node.classList.toggle("new", isHere && before !== null && !(name in before.nodes));
    const isChanged = before !== null && name in before.nodes
      && before.nodes[name] !== step.graph.nodes[name];
    node.classList.toggle("changed", isHere && isChanged);
  }
  const edges = new Set(step.graph.edges);
  for (const edge of $("canvas").querySelectorAll(".edge[data-from]")) {
    const isHere = edges.has(`${edge.dataset.from} ${edge.dataset.to}`);
    edge.classList.toggle("gone", !isHere);
  }
}

function move(by) {
  go({ step: state.step + by });
}

// Filters, search, highlights.

function filterNodes() {
  const svg = $("canvas").querySelector("svg");
  if (!svg || state.view !== "graph") return;
  svg.classList.toggle("no-types", hidden.has("types"));
  const gone = new Set(nodesOf(stage()).filter(isHidden).map((node) => node.name));
  for (const node of svg.querySelectorAll(".node")) {
    node.classList.toggle("gone", gone.has(node.dataset.node));
  }
  for (const edge of svg.querySelectorAll(".edge[data-from]")) {
    const isGone = gone.has(edge.dataset.from) || gone.has(edge.dataset.to)
      || ["memory", "scope"].some((kind) => hidden.has(kind) && edge.classList.contains(kind));
    edge.classList.toggle("gone", isGone);
  }
}

function isHidden(node) {
  const isConstant = /^(Const )?-?\d+$/.test(firstLine(node)) || /^Const\b/.test(node.text);
  return hidden.has(node.kind) || (hidden.has("constants") && isConstant);
}

function light() {
  const words = $("search").value.trim().toLowerCase();
  const selected = nodeNamed(stage(), state.node);
  const isSame = (node) => state.origin !== null && node.origin === state.origin;
  for (const element of $("canvas").querySelectorAll(".node")) {
    const node = nodeNamed(stage(), element.dataset.node);
    const isLit = element.dataset.node === state.node || (node && isSame(node));
    element.classList.toggle("lit", Boolean(isLit));
    const text = `${element.dataset.node} ${element.textContent}`.toLowerCase();
    element.classList.toggle("faded", words !== "" && !text.includes(words));
  }
  for (const edge of $("canvas").querySelectorAll(".edge[data-from]")) {
    const ends = [edge.dataset.from, edge.dataset.to];
    edge.classList.toggle("lit", state.node !== "" && ends.includes(state.node));
  }
  for (const line of $("source").children) {
    line.classList.toggle("lit", state.origin !== null && within(state.origin, line));
  }
  const name = state.node && new RegExp(`\\b${state.node}\\b`);
  for (const line of $("text").children) {
    const isFound = words !== "" && line.textContent.toLowerCase().includes(words);
    line.classList.toggle("lit", isFound || (Boolean(name) && name.test(line.textContent)));
  }
  showInfo(selected);
}

function showInfo(node) {
  if (!node) {
    $("info").textContent = "Click a node, or press Tab and Enter.";
    return;
  }
  const parts = [make("div", {}, make("code", { textContent: `${node.name}: ${node.text}` }))];
  const edges = [...$("canvas").querySelectorAll(".edge[data-from]")];
  const uses = edges.filter((it) => it.dataset.from === node.name).map((it) => it.dataset.to);
  const users = edges.filter((it) => it.dataset.to === node.name).map((it) => it.dataset.from);
  for (const [title, names] of [["operands", uses], ["users", users]]) {
    const buttons = [...new Set(names)].map((name) => {
      const other = nodeNamed(stage(), name);
      const text = other ? firstLine(other) : name;
      const button = make("button", { type: "button", textContent: text });
      button.addEventListener("click", () => select(name));
      return button;
    });
    if (buttons.length > 0) parts.push(make("div", {}, `${title}: `, ...buttons));
  }
  const elsewhere = node.origin === null ? [] : data.stages.flatMap((it, index) => {
    const same = nodesOf(it).filter((other) => other.origin === node.origin);
    if (index === state.stage || same.length === 0) return [];
    const text = `${it.name}: ${same.map(firstLine).join(", ")}`;
    const button = make("button", { type: "button", textContent: text });
    button.addEventListener("click", () => go({ stage: index }));
    return [button];
  });
  if (elsewhere.length > 0) parts.push(make("div", {}, "the same place: ", ...elsewhere));
  $("info").replaceChildren(...parts);
}

function select(name) {
  const node = nodeNamed(stage(), name);
  const isAgain = state.node === name;
  const origin = node && node.origin !== null && !isAgain ? node.origin : null;
  go({ node: isAgain ? "" : name, origin });
}

// Files.

function save(text, extension, type) {
  if (!text) return;
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })) });
  link.download = `${data.title}.${stage().name}.${extension}`;
  link.click();
  URL.revokeObjectURL(link.href);
}

function svgFile() {
  const svg = $("canvas").querySelector("svg");
  if (!svg) return "";
  const copy = svg.cloneNode(true);
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = document.querySelector("style").textContent;
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy);
}

// Events.

function listen() {
  $("canvas").addEventListener("click", (event) => {
    const node = event.target.closest(".node");
    if (node) select(node.dataset.node);
  });
  $("canvas").addEventListener("keydown", (event) => {
    const node = event.target.closest(".node");
    if (node && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      select(node.dataset.node);
    }
  });
  document.addEventListener("keydown", (event) => {
    const move_by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const isTyping = ["INPUT", "SELECT"].includes(event.target.tagName);
    const isTab = event.target.closest("#tabs");
    if (state.view === "steps" && move_by && !isTyping && !isTab) move(move_by);
  });
  $("views").addEventListener("change", (event) => go({ view: event.target.value }));
  $("filters").addEventListener("change", (event) => {
    const { value, checked } = event.target;
    if (checked) hidden.delete(value);
    else hidden.add(value);
    show();
  });
  $("compare").addEventListener("change", (event) => {
    go({ compare: event.target.value, view: "text" });
  });
  $("search").addEventListener("input", search);
  $("slider").addEventListener("input", (event) => go({ step: Number(event.target.value) }));
  $("previous").addEventListener("click", () => move(-1));
  $("next").addEventListener("click", () => move(1));
  const scale = (factor) => () => {
    state.zoom = Math.min(4, Math.max(0.05, state.zoom * factor));
    zoom();
  };
  $("smaller").addEventListener("click", scale(0.8));
  $("larger").addEventListener("click", scale(1.25));
  $("whole").addEventListener("click", () => {
    const svg = $("canvas").querySelector("svg");
    if (svg) state.zoom = Math.min(1, $("canvas").clientWidth / svg.viewBox.baseVal.width);
    zoom();
  });
  $("save-svg").addEventListener("click", () => save(svgFile(), "svg", "image/svg+xml"));
  $("save-dot").addEventListener("click", () => save(stage().dot, "dot", "text/plain"));
  addEventListener("hashchange", () => {
    readAddress();
    show();
  });
}

// A search for a rule leads to its next step.
function search() {
  const words = $("search").value.trim().toLowerCase();
  const index = stage().steps.list.findIndex((it) => it.rule === words);
  if (words !== "" && index >= 0) go({ view: "steps", step: index });
  else light();
}

$("title").textContent = data.title;
$("result").textContent = data.result || "";
buildTabs();
buildSource();
listen();
readAddress();
show();
