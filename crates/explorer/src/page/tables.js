// Tables: the alternatives of a node with their costs, and the matrices at its edges.

const rowsOf = (text) => text.split("\n").map((row) => row.split(" · "));
const hasTables = () => Object.keys(stage().tables).length > 0;

// The texts of a stage's nodes, and of the tables at its edges.
function graphOf(of) {
  const nodes = new Map(of.nodes.map((it) => [it.name, it.text]));
  return { nodes, edges: new Map(Object.entries(of.tables)) };
}

const shownGraph = () =>
  (state.view === "steps" ? graphsOf(stage()).after[state.step] : null) || graphOf(stage());

function table(caption, rows) {
  const lines = rows.map((row) => make("tr", {}, ...row));
  return make("div", { className: "table", tabIndex: 0 },
    make("table", {}, make("caption", { textContent: caption }), ...lines));
}

const head = (textContent) => make("th", { textContent });
const cost = (textContent) =>
  make("td", { textContent, className: textContent === "∞" ? "no" : "" });

// A node with two rows below its name: its alternatives, and their costs.
function vectorTable(graph, name) {
  const [[title], names = [], costs = []] = rowsOf(graph.nodes.get(name));
  return table(title, [names.map(head), costs.map(cost)]);
}

// A row for each alternative of the operand, a column for each of the user.
function matrixTable(graph, edge) {
  const [user, operand] = edge.split(" ").map((name) => rowsOf(graph.nodes.get(name) || ""));
  const rows = rowsOf(graph.edges.get(edge));
  const heads = [head(""), ...(user[1] || []).map(head)];
  const row = (costs, index) => [head((operand[1] || [])[index] || ""), ...costs.map(cost)];
  return table(`${operand[0][0]} – ${user[0][0]}`, [heads, ...rows.map(row)]);
}

// The tables of the selected node and its edges, or of the selected edge.
function tablesAround(graph) {
  if (!hasTables()) return [];
  const ends = (edge) => edge.split(" ").includes(state.node) || edge === state.edge;
  const edges = [...graph.edges.keys()].filter((it) => graph.edges.get(it) && ends(it));
  const vectors = graph.nodes.has(state.node) ? [vectorTable(graph, state.node)] : [];
  return [...vectors, ...edges.map((it) => matrixTable(graph, it))];
}

// The tables that a step reads and those that it writes, if it writes any.
function changedTables(before, after, root) {
  const differs = (texts, others) =>
    [...texts.keys()].filter((it) => texts.get(it) && texts.get(it) !== others.get(it));
  const tables = (graph, other) => [
    ...differs(graph.nodes, other.nodes).map((it) => vectorTable(graph, it)),
    ...differs(graph.edges, other.edges).map((it) => matrixTable(graph, it)),
  ];
  const read = tables(before, after);
  if (read.length === 0 && before.nodes.has(root)) read.push(vectorTable(before, root));
  const written = tables(after, before);
  if (written.length === 0) return null;
  return make("div", { className: "tables" }, make("div", {}, ...read), "→",
    make("div", {}, ...written));
}
