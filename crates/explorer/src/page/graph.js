// Graphs: drawing, zoom, filters, search, and the selected node.

let drawn = null;
let drawnFunction = "";

function clearGraph(...content) {
  $("canvas").replaceChildren(...content);
  $("functions").hidden = true;
  drawn = null;
}

// Shows the drawing of a stage, or that of its steps.
function showGraph(of, reason) {
  if (of.drawing === null) {
    const text = reason ? `${reason}; the text is complete` : "there is no graph";
    return clearGraph(make("p", { textContent: text }));
  }
  if (drawn === of && drawnFunction === state.function) return zoom();
  const kept = isPlaceOf(keptPlace) ? keptPlace : null;
  keptPlace = null;
  // Measured before the drawing is there: after it, the browser would lay it out twice.
  const width = kept ? 0 : $("canvas").clientWidth - 4;
  draw($("canvas"), of.drawing, stage());
  [drawn, drawnFunction] = [of, state.function];
  const fit = width / $("canvas").querySelector("svg").viewBox.baseVal.width;
  state.zoom = kept ? kept.zoom : Math.max(MIN_ZOOM, Math.min(1, fit));
  zoom();
  if (kept) $("canvas").scrollTo(kept.left, kept.top);
  else showFirst($("canvas"));
  return undefined;
}

// Zoom and place of the drawing that is shown, for the next version of it.
let keptPlace = null;

function shownPlace() {
  const { scrollLeft: left, scrollTop: top } = $("canvas");
  return { of: `${stage().name} ${state.view}`, zoom: state.zoom, left, top };
}

const isPlaceOf = (kept) => Boolean(kept) && kept.of === `${stage().name} ${state.view}`;

// Smaller texts cannot be read.
const MIN_ZOOM = 0.8;

// A large picture is shown from its top on, with its highest node in the middle.
function showFirst(canvas) {
  const places = [...nodeElements(canvas)].map((it) => it.getBoundingClientRect());
  const first = places.reduce((one, it) => one && one.top <= it.top ? one : it, null);
  if (!first) return;
  const middle = (it) => it.left + it.width / 2;
  canvas.scrollLeft += middle(first) - middle(canvas.getBoundingClientRect());
  canvas.scrollTop = 0;
}

function draw(canvas, number, of) {
  canvas.innerHTML = parts.get(number);
  // The picture is a group: its nodes can be selected.
  canvas.querySelector("svg").setAttribute("role", "group");
  showFunction(canvas);
  for (const node of canvas.querySelectorAll(".node")) {
    const info = of.byName.get(node.dataset.node);
    node.tabIndex = -1;
    node.setAttribute("role", "button");
    node.prepend(document.createElementNS("http://www.w3.org/2000/svg", "title"));
    nameNode(node, info ? info.text : node.dataset.node);
  }
}

// The boxes of functions in a drawing of several ones, by their names: nodes in it are `f0_n1`.
function functionBoxes(canvas) {
  if (!canvas.querySelector(".node[data-node^=f0_]")) return new Map();
  const boxes = [...canvas.querySelectorAll("rect[data-cluster]:not([data-in])")];
  const title = ({ dataset }) =>
    canvas.querySelector(`.cluster-title[data-cluster="${dataset.cluster}"]`).textContent;
  return new Map(boxes.map((it) => [title(it), it]));
}

// Shows one function of a drawing, or all.
function showFunction(canvas) {
  const boxes = functionBoxes(canvas);
  const box = boxes.get(state.function);
  if (canvas === $("canvas")) listFunctions([...boxes.keys()]);
  if (!box) return;
  const number = (name) => Number(box.getAttribute(name));
  const [x, y, width, height] = ["x", "y", "width", "height"].map(number);
  const { e, f } = box.parentNode.transform.baseVal[0].matrix;
  const around = [x + e - 8, y + f - 8, width + 16, height + 16];
  canvas.querySelector("svg").setAttribute("viewBox", around.join(" "));
}

// The choice of a function, where there are several.
function listFunctions(names) {
  const options = ["", ...names].map((value) =>
    make("option", { value, textContent: value || "all" }));
  $("function").replaceChildren(...options);
  $("function").value = names.includes(state.function) ? state.function : "";
  $("functions").hidden = names.length < 2;
}

// The text of a node, for the pointer over it and for screen readers.
function nameNode(node, text) {
  const name = text.replaceAll("\n", ": ");
  node.setAttribute("aria-label", name);
  node.querySelector("title").textContent = name;
}

const nodeElements = (canvas = $("canvas")) => canvas.querySelectorAll(".node");
// The edges, and what is written at them.
const edgeElements = (canvas = $("canvas")) => canvas.querySelectorAll("[data-from]");
const elementOf = (name, canvas) =>
  [...nodeElements(canvas)].find((it) => it.dataset.node === name);
const edgeName = (element) => `${element.dataset.from} ${element.dataset.to}`;

function zoom() {
  for (const svg of $("pictures").querySelectorAll("svg")) {
    const { width, height } = svg.viewBox.baseVal;
    svg.setAttribute("width", width * state.zoom);
    svg.setAttribute("height", height * state.zoom);
  }
}

function scale(factor) {
  state.zoom = Math.min(4, Math.max(0.05, state.zoom * factor));
  zoom();
}

function fit() {
  const svg = $("canvas").querySelector("svg");
  if (!svg) return;
  const { width, height } = svg.viewBox.baseVal;
  const { clientWidth, clientHeight } = $("canvas");
  state.zoom = Math.min(1, (clientWidth - 4) / width, (clientHeight - 4) / height);
  zoom();
}

function filterNodes() {
  const svg = $("canvas").querySelector("svg");
  const found = new Set(svg && svg.querySelector(".detail") ? ["types"] : []);
  const filtered = new Set();
  for (const element of [...nodeElements(), ...edgeElements()]) {
    const filter = filterOf(element);
    const { node, from, to } = element.dataset;
    const isCut = filtered.has(from) || filtered.has(to);
    const isHidden = hidden.has(filter);
    element.classList.toggle("filtered", isHidden || isCut);
    if (isHidden && node !== undefined) filtered.add(node);
    if (isPresent(element)) found.add(filter);
  }
  if (svg) svg.classList.toggle("no-types", hidden.has("types"));
  for (const input of $("filters").querySelectorAll("input")) {
    input.disabled = !found.has(input.value);
  }
  hideEmptyBoxes();
}

// The filter that hides an element of the graph.
function filterOf(element) {
  const kind = ["memory", "scope"].find((it) => element.classList.contains(it));
  if (kind || element.dataset.node === undefined) return kind;
  const text = element.querySelector("text");
  return text && /^(n\d+ )?(Const )?-?\d+$/.test(text.textContent) ? "constants" : undefined;
}

// Hides the boxes in which no node is visible.
function hideEmptyBoxes() {
  const boxes = $("canvas").querySelectorAll("[data-cluster]");
  const outer = new Map([...boxes].filter((it) => it.matches("rect"))
    .map((it) => [it.dataset.cluster, it.dataset.in]));
  const shown = new Set();
  for (const node of [...nodeElements()].filter(isVisible)) {
    for (let at = node.dataset.in; at !== undefined && !shown.has(at); at = outer.get(at)) {
      shown.add(at);
    }
  }
  for (const it of boxes) it.classList.toggle("gone", !shown.has(it.dataset.cluster));
}

// Whether a step contains an element.
const isPresent = ({ classList }) => !classList.contains("gone");

// Whether an element is visible: a step contains it, and no filter hides it.
const isVisible = (it) => isPresent(it) && !it.classList.contains("filtered");

function lightGraph(words) {
  const selected = state.node || "";
  let target = null;
  for (const element of nodeElements()) {
    const name = element.dataset.node;
    const node = stage().byName.get(name);
    const isSame = node && state.origin !== "" && node.origin === state.origin;
    element.classList.toggle("lit", name === selected || Boolean(isSame));
    const text = `${name} ${element.textContent}`.toLowerCase();
    element.classList.toggle("faded", words !== "" && !text.includes(words));
    element.tabIndex = name === selected ? 0 : -1;
    element.setAttribute("aria-pressed", String(name === selected));
    if (name === selected) target = element;
  }
  for (const cell of $("canvas").querySelectorAll(".cell[data-port]")) {
    const key = `${cell.closest(".node").dataset.node}:${cell.dataset.port}`;
    const isSame = state.origin !== "" && stage().cells[key].includes(state.origin);
    cell.classList.toggle("lit", isSame);
    if (isSame && target === null) target = cell;
  }
  for (const edge of edgeElements()) {
    const ends = [edge.dataset.from, edge.dataset.to];
    const isLit = selected !== "" && ends.includes(selected) || edgeName(edge) === state.edge;
    edge.classList.toggle("lit", isLit);
  }
  if (target && isVisible(target)) revealNode($("canvas"), target);
  lightBefore();
}

// The nodes of the selected place in the graph to compare with.
function lightBefore() {
  let first = null;
  for (const element of nodeElements($("before"))) {
    const node = compared().byName.get(element.dataset.node);
    const isSame = state.origin !== "" && node !== undefined && node.origin === state.origin;
    element.classList.toggle("lit", isSame);
    if (isSame && first === null) first = element;
  }
  if (first) revealNode($("before"), first);
}

function revealNode(canvas, element) {
  const [outer, inner] = [canvas, element].map((it) => it.getBoundingClientRect());
  const isBeside = inner.left < outer.left || inner.right > outer.right;
  const isAbove = inner.top < outer.top || inner.bottom > outer.bottom;
  if (isBeside) canvas.scrollLeft += inner.left - outer.left - outer.width / 2;
  if (isAbove) canvas.scrollTop += inner.top - outer.top - outer.height / 2;
}

function choose(event) {
  // A drawing of the program before has other nodes.
  if ($("pictures").hasAttribute("aria-busy")) return undefined;
  const edge = event.target.closest("[data-from]");
  if (edge) return go({ edge: edgeName(edge), node: "", origin: "" });
  const cell = event.target.closest(".cell[data-port]");
  const node = event.target.closest(".node");
  if (!node) return undefined;
  const origin = cell && stage().cells[`${node.dataset.node}:${cell.dataset.port}`];
  return origin ? selectOrigin(origin[0]) : select(node.dataset.node);
}

// A node of the graph to compare with: its place is selected in both.
function chooseBefore(event) {
  const element = event.target.closest(".node");
  const node = element && compared().byName.get(element.dataset.node);
  if (node && node.origin) selectOrigin(node.origin);
}

// Up to an operand, down to a user, left and right in the order of the graph.
function walk(key) {
  const visible = [...nodeElements()].filter(isVisible);
  const names = visible.map((it) => it.dataset.node);
  const at = names.indexOf(state.node);
  const edges = [...edgeElements()].filter(isVisible);
  const operand = edges.find((it) => it.dataset.from === state.node);
  const user = edges.find((it) => it.dataset.to === state.node);
  const next = {
    ArrowUp: operand && operand.dataset.to,
    ArrowDown: user && user.dataset.from,
    ArrowLeft: names[Math.max(at - 1, 0)],
    ArrowRight: names[Math.min(at + 1, names.length - 1)],
  }[at < 0 ? "ArrowRight" : key];
  if (!next || next === state.node) return;
  const node = stage().byName.get(next);
  go({ node: next, origin: node && node.origin || "" });
  const element = elementOf(next);
  if (element) element.focus({ preventScroll: true });
}

function showInfo() {
  const graph = shownGraph();
  const text = graph.nodes.get(state.node);
  if (text === undefined && !state.origin && !state.edge) {
    $("info").textContent = "Click a node, an edge, a line or a word of the source.";
    return;
  }
  const info = text === undefined ? [] : nodeInfo(graph, state.node);
  const shown = [...info, ...notesOf(stage()), ...tablesAround(graph)];
  const elsewhere = data.stages.flatMap((it, index) => {
    const same = withOrigin(it, state.origin);
    if (index === state.stage || same.length === 0) return [];
    const text = `${it.name}: ${same.map(firstLine).join(", ")}`;
    return [command(text, () => go({ stage: index, node: same[0].name }))];
  });
  if (elsewhere.length > 0) shown.push(make("p", {}, "the same place: ", ...elsewhere));
  if (shown.length === 0 && state.origin) {
    const textContent = data.source.slice(...state.origin.split("-").map(Number));
    shown.push(make("p", {}, make("code", { textContent }), ": no stage has a node for it"));
  }
  $("info").replaceChildren(...shown);
}

// The explanations of the lines of the selected place, or of those of the selected block.
function notesOf(of) {
  const block = state.origin === "" && of.byName.get(state.node);
  const withoutArguments = (text) => text.replace(/\(.*\)$/, "");
  const cells = block ? rowsOf(block.text).map(([first]) => withoutArguments(first)) : [];
  const rows = new Set(cells);
  const lines = linesOf(of);
  // In a table, the columns are two spaces apart, and the first one may have numbers.
  const isText = (it) => !/^\d*$/.test(it);
  const textAt = (at) => withoutArguments(lines[at].split(/ {2,}/).find(isText) || "");
  const isOwn = ([at]) => (of.lines[at] || []).includes(state.origin) || rows.has(textAt(at));
  const notes = new Map(of.notes.filter(isOwn).map(([at, note]) => [textAt(at), note]));
  const shown = block ? cells.filter((it) => notes.has(it)) : [...notes.keys()];
  return shown.map((textContent) =>
    make("p", {}, make("code", { textContent }), `: ${notes.get(textContent)}`));
}

// The text of a node, and the nodes at its edges.
function nodeInfo(graph, name) {
  // Of a block of instructions, its name: the notes have the instructions.
  const isBlock = stage().notes.length > 0;
  const heading = (text) => isBlock ? rowsOf(text)[0][0] : text.split("\n")[0];
  const whole = graph.nodes.get(name);
  const text = isBlock ? heading(whole) : whole.replaceAll("\n", ": ");
  const shown = [make("p", {}, make("code", { textContent: text }))];
  const edges = [...edgeElements()].filter(isPresent);
  const uses = edges.filter((it) => it.dataset.from === name).map((it) => it.dataset.to);
  const users = edges.filter((it) => it.dataset.to === name).map((it) => it.dataset.from);
  for (const [title, names] of [["operands", uses], ["users", users]]) {
    const buttons = [...new Set(names)].map((it) => {
      const other = graph.nodes.get(it);
      return command(other === undefined ? it : heading(other), () => select(it));
    });
    if (buttons.length > 0) shown.push(make("p", {}, `${title}: `, ...buttons));
  }
  return shown;
}
