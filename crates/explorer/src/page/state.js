// The explorer shows the data of its page. Its state is in the address, so it can be linked:
// #stage=firm&view=graph&node=n12&step=7
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const state = { stage: 0, view: "graph", node: "", origin: "", step: 0, compare: "", zoom: 1 };
const hidden = new Set();
for (const it of data.stages) if (it.svg && it.svg.stage >= 0) it.svg = data.stages[it.svg.stage].svg;
for (const it of data.stages) it.byName = new Map(it.nodes.map((node) => [node.name, node]));

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
const firstLine = (node) => node.text.split("\n")[0];
const withOrigin = (of, origin) => of.nodes.filter((it) => origin && it.origin === origin);

function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const index = stageNamed(parts.get("stage"));
  state.stage = index < 0 ? state.stage : index;
  const node = parts.get("node") || "";
  state.node = stage().byName.has(node) ? node : stage().byName.has(`n${node}`) ? `n${node}` : "";
  state.origin = parts.get("origin") || (state.node && stage().byName.get(state.node).origin) || "";
  state.step = Math.max(0, (Number(parts.get("step")) || 1) - 1);
  state.compare = stageNamed(parts.get("compare")) < 0 ? "" : parts.get("compare");
  state.view = parts.get("view") || (parts.has("step") ? "steps" : state.view);
}

function writeAddress() {
  const parts = new URLSearchParams({ stage: stage().name, view: state.view });
  if (state.node) parts.set("node", state.node);
  else if (state.origin) parts.set("origin", state.origin);
  if (state.view === "steps") parts.set("step", state.step + 1);
  if (state.compare) parts.set("compare", state.compare);
  history.replaceState(null, "", "#" + parts);
}

function available(view) {
  if (view === "graph") return Boolean(stage().svg || stage().reason);
  if (view === "steps") return stage().steps.list.length > 0;
  return view === "text";
}

// Every change of the state goes through here.
function go(changes) {
  const other = "stage" in changes && changes.stage !== state.stage;
  Object.assign(state, changes);
  if (other && !("step" in changes)) state.step = 0;
  if (other && !("node" in changes)) {
    const same = withOrigin(stage(), state.origin)[0];
    state.node = same ? same.name : "";
  }
  show();
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
