// Steps: one rewrite at a time. All graphs of a stage share a drawing, of which parts are hidden.

// The graph after each step, from the changes that the page contains.
function graphsOf(steps) {
  if (steps.graphs) return steps.graphs;
  let [nodes, edges] = [new Map(), new Set()];
  steps.graphs = steps.list.map((step) => {
    if (!step.graph) return null;
    [nodes, edges] = [new Map(nodes), new Set(edges)];
    for (const name of step.graph.gone) nodes.delete(name);
    for (const [name, text] of Object.entries(step.graph.nodes)) nodes.set(name, text);
    for (const edge of step.graph.cut) edges.delete(edge);
    for (const edge of step.graph.edges) edges.add(edge);
    return { nodes, edges };
  });
  return steps.graphs;
}

function showSteps() {
  const steps = stage().steps;
  const { list, svg, reason } = steps;
  state.step = Math.max(0, Math.min(state.step, list.length - 1));
  const step = list[state.step];
  $("slider").max = list.length - 1;
  $("slider").value = state.step;
  $("count").textContent = `${state.step + 1} of ${list.length}`;
  $("previous").disabled = state.step === 0;
  $("next").disabled = state.step === list.length - 1;
  $("rewrite").replaceChildren(
    make("span", { className: "rule", textContent: step.rule }),
    make("span", { className: "law", textContent: step.law }),
    make("div", {}, make("code", { textContent: step.before }), " → ",
      make("code", { textContent: step.after })));
  listSteps();
  showGraph(svg, reason || "the graph is too large to draw each step");
  const graph = svg && graphsOf(steps)[state.step];
  if (graph) showStep(graph, state.step > 0 ? graphsOf(steps)[state.step - 1] : null, step.node);
  else if (svg) showGraph(null, "from here on, the graph is too large to draw each step");
}

function showStep(graph, before, root) {
  for (const element of nodeElements()) {
    const name = element.dataset.node;
    const isHere = graph.nodes.has(name);
    const was = before === null || before.nodes.has(name);
    const isOther = was && before !== null && before.nodes.get(name) !== graph.nodes.get(name);
    element.classList.toggle("gone", !isHere);
    element.classList.toggle("new", isHere && !was);
    element.classList.toggle("changed", isHere && isOther);
    element.classList.toggle("root", isHere && name === root);
    if (isHere) setText(element, graph.nodes.get(name));
  }
  for (const element of edgeElements()) {
    const name = `${element.dataset.from} ${element.dataset.to}`;
    const isHere = graph.edges.has(name);
    element.classList.toggle("gone", !isHere);
    element.classList.toggle("new", isHere && before !== null && !before.edges.has(name));
  }
}

// The drawing has the last text of a node; at other steps, the type may differ.
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
        () => go({ step: index })))));
  }
  [...list.children].forEach((it, index) => it.classList.toggle("lit", index === state.step));
}

function move(by) {
  const step = Math.max(0, Math.min(state.step + by, stage().steps.list.length - 1));
  go({ step, node: "", origin: stage().steps.list[step].origin || "" });
}
