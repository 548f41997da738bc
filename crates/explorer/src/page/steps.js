// Steps: one rewrite at a time. All graphs of a stage share a drawing, of which parts are hidden.

// The graph after each step, from the changes that the page contains; and the one before all.
function graphsOf(of) {
  if (of.graphs) return of.graphs;
  const first = hasTables() ? graphOf(of) : null;
  let [nodes, edges] = [new Map(), new Map()];
  const after = of.steps.list.map(({ graph }) => {
    if (!graph) return null;
    [nodes, edges] = [new Map(nodes), new Map(edges)];
    for (const name of graph.gone) nodes.delete(name);
    for (const [name, text] of Object.entries(graph.nodes)) nodes.set(name, text);
    for (const name of graph.cut) edges.delete(name);
    for (const [name, text] of Object.entries(graph.edges)) edges.set(name, text);
    return { nodes, edges };
  });
  of.graphs = { first, after };
  return of.graphs;
}

function showSteps() {
  const { steps } = stage();
  const { list, drawing, reason } = steps;
  state.step = Math.max(0, Math.min(state.step, list.length - 1));
  const step = list[state.step];
  const graph = graphsOf(stage()).after[state.step];
  const before = graphBefore(stage(), step);
  $("slider").max = list.length - 1;
  $("slider").value = state.step;
  $("count").textContent = `${state.step + 1} of ${list.length}`;
  $("previous").disabled = state.step === 0;
  $("next").disabled = state.step === list.length - 1;
  const texts = make("div", {}, make("code", { textContent: step.before }), " → ",
    make("code", { textContent: step.after }));
  $("rewrite").replaceChildren(
    make("span", { className: "rule", textContent: step.rule }),
    make("span", { className: "law", textContent: step.law }),
    hasTables() && before && graph && changedTables(before, graph, step.node) || texts);
  listSteps();
  $("undrawn").hidden = graph !== null;
  if (graph) {
    showGraph(steps, reason);
    if (drawing !== null) showStep(graph, before, step.node);
  } else {
    showGraph(stage(), stage().reason);
    // A PBQP has the same nodes in its steps; other graphs number theirs anew.
    const root = hasTables() ? elementOf(step.node) : null;
    nodeElements().forEach((it) => it.classList.toggle("root", it === root));
    if (root) revealNode($("canvas"), root);
  }
}

// The function of a node, if there are several: `f1_` of `f1_n12`.
const functionOf = (name) => (name.match(/^f\d+_/) || [""])[0];

// The graph before a step: that after the step before it, or, at the first step of a function, the
// part of the first graph.
function graphBefore(of, step) {
  const { first, after } = graphsOf(of);
  const part = functionOf(step.node);
  const index = of.steps.list.indexOf(step);
  if (index > 0 && functionOf(of.steps.list[index - 1].node) === part) return after[index - 1];
  if (!first) return null;
  const own = (texts) => new Map([...texts].filter(([name]) => functionOf(name) === part));
  return { nodes: own(first.nodes), edges: own(first.edges) };
}

function showStep(graph, before, root) {
  for (const element of nodeElements()) {
    const name = element.dataset.node;
    markStep(element, graph.nodes, before && before.nodes, name);
    element.classList.toggle("root", graph.nodes.has(name) && name === root);
  }
  for (const element of edgeElements()) {
    markStep(element, graph.edges, before && before.edges, edgeName(element));
  }
  const changed = elementOf(root);
  const others = $("canvas").querySelectorAll(".node.new, .node.changed");
  const first = [changed, ...others].find((it) => it && isVisible(it));
  if (first) revealNode($("canvas"), first);
}

// Hides an element that a step does not contain, and marks one that it adds or changes.
function markStep(element, texts, before, name) {
  const isHere = texts.has(name);
  const was = !before || before.has(name);
  element.classList.toggle("gone", !isHere);
  element.classList.toggle("new", isHere && !was);
  const isOther = isHere && was && before && before.get(name) !== texts.get(name);
  element.classList.toggle("changed", Boolean(isOther));
  if (!isHere) return;
  setText(element, texts.get(name));
  if (element.matches(".node")) nameNode(element, texts.get(name));
}

// The drawing has the last text of a node; at other steps, the type or a cost may differ.
function setText(element, text) {
  const texts = element.querySelectorAll("text");
  const lines = text.split(/\n| · /);
  if (lines.length !== texts.length) return;
  texts.forEach((it, index) => { it.textContent = lines[index]; });
}

function listSteps() {
  const list = $("all-steps").querySelector("ol");
  if (!$("all-steps").open) return;
  if (list.dataset.stage !== stage().name) {
    list.dataset.stage = stage().name;
    list.replaceChildren(...stage().steps.list.map((step, index) =>
      make("li", {}, command(`${step.rule}: ${step.before} → ${step.after}`,
        () => goToStep(index)))));
  }
  [...list.children].forEach((it, index) => it.classList.toggle("lit", index === state.step));
}

// Shows a step; its place is selected.
function goToStep(step) {
  go({ view: "steps", step, node: "", origin: stage().steps.list[step].origin || "" });
}

function move(by) {
  goToStep(Math.max(0, Math.min(state.step + by, stage().steps.list.length - 1)));
}
