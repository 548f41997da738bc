// The explorer shows the data of its page. Its state is in the address, so it can be linked:
// #stage=firm&view=graph&node=n12&step=7
"use strict";

const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const state = {
  stage: 0, view: "graph", node: "", edge: "", origin: "", step: 0, compare: "", function: "",
  zoom: 1,
};
const hidden = new Set();

// Stages and drawings are packed: compressed by deflate, and written in base 64.
async function unpack(id) {
  const bytes = Uint8Array.from(atob($(id).textContent), (it) => it.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

// The unpacked drawings, by their numbers.
const parts = new Map();

async function load(number) {
  if (parts.has(number)) return parts.get(number);
  const of = data.stages;
  const text = await (data.live ? requested(number) : unpack(`part-${number}`));
  if (data.stages === of) parts.set(number, text);
  return text;
}

function takeStages(stages) {
  data.stages = stages;
  for (const it of data.stages) {
    it.text ??= it.listing;
    it.byName = new Map(it.nodes.map((node) => [node.name, node]));
  }
}

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function command(text, action) {
  const button = make("button", { type: "button", textContent: text });
  button.addEventListener("click", action);
  return button;
}

const stage = () => data.stages[state.stage];
const stageNamed = (name) => data.stages.findIndex((it) => it.name === name);
const compared = () => data.stages[stageNamed(state.compare)];
const firstLine = (node) => node.text.split("\n")[0];
const withOrigin = (of, origin) => of.nodes.filter((it) => origin && it.origin === origin);

function readAddress(text = location.hash.slice(1)) {
  const address = new URLSearchParams(text);
  const index = stageNamed(address.get("stage"));
  state.stage = index < 0 ? state.stage : index;
  const node = address.get("node") || "";
  state.node = stage().byName.has(node) ? node : stage().byName.has(`n${node}`) ? `n${node}` : "";
  state.edge = address.get("edge") || "";
  const origin = state.node && stage().byName.get(state.node).origin;
  state.step = Math.max(0, (Number(address.get("step")) || 1) - 1);
  const step = address.has("step") && stage().steps.list[state.step];
  state.origin = address.get("origin") || origin || (step && step.origin) || "";
  state.compare = stageNamed(address.get("compare")) < 0 ? "" : address.get("compare");
  state.function = address.get("function") || "";
  state.view = address.get("view") || (address.has("step") ? "steps" : state.view);
}

function addressOf() {
  const address = new URLSearchParams({ stage: stage().name, view: state.view });
  if (state.node) address.set("node", state.node);
  else if (state.edge) address.set("edge", state.edge);
  else if (state.origin) address.set("origin", state.origin);
  if (state.view === "steps") address.set("step", state.step + 1);
  if (state.compare) address.set("compare", state.compare);
  if (state.function) address.set("function", state.function);
  return address.toString();
}

function writeAddress() {
  if (data.live) return tell({ address: addressOf(), origin: state.origin });
  return history.replaceState(null, "", "#" + addressOf());
}

function available(view) {
  if (view === "graph") return stage().drawing !== null || Boolean(stage().reason);
  if (view === "steps") return stage().steps.list.length > 0;
  return view === "text";
}

// Every change of the state goes through here.
function go(changes) {
  const other = "stage" in changes && changes.stage !== state.stage;
  const before = stage();
  Object.assign(state, changes);
  if (!("edge" in changes) && ("node" in changes || other)) state.edge = "";
  if (other && !("step" in changes)) state.step = 0;
  if (other && !("compare" in changes) && state.compare === before.beside) {
    state.compare = stage().beside || "";
  }
  if (other && !("node" in changes)) {
    const same = withOrigin(stage(), state.origin)[0];
    state.node = same ? same.name : "";
  }
  refresh();
  writeAddress();
}

function select(name) {
  const node = stage().byName.get(name);
  const isAgain = state.node === name;
  go({ node: isAgain ? "" : name, origin: !isAgain && node && node.origin || "" });
}

// The selection of a text in the source: the first node that was made for it.
function selectOrigin(origin) {
  const node = withOrigin(stage(), origin)[0];
  go({ origin, node: node ? node.name : "" });
}

// The drawings that the state needs. Steps without a graph are shown in that of the stage.
function neededParts() {
  const steps = [stage().steps, stage()];
  const shown = { graph: [stage(), compared()], steps }[state.view] || [];
  return shown.filter((it) => it && it.drawing !== null).map((it) => it.drawing);
}

// Fulfilled when the page shows its state.
let settled = Promise.resolve();

function refresh() {
  if (!available(state.view)) state.view = available("graph") ? "graph" : "text";
  const missing = neededParts().filter((it) => !parts.has(it));
  if (missing.length === 0) return show();
  settled = Promise.all(missing.map(load)).then(() => {
    // After another change of the state, that one is shown when its drawings are there.
    if (neededParts().every((it) => parts.has(it))) show();
  });
  return undefined;
}
