// The frame of the page, and its events.

function buildTabs() {
  data.stages.forEach((it, index) => {
    const isSame = earlier(index)?.listing === it.listing;
    const count = it.nodes.length > 0 ? make("small", { textContent: ` ${it.nodes.length}` }) : "";
    const tab = make("button", { type: "button", id: `tab-${it.name}` }, it.name, count);
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", "stage-pane");
    tab.classList.toggle("same", isSame);
    tab.hidden = Boolean(it.isOther);
    tab.title = isSame ? sameText(index) : `${it.nodes.length} nodes`;
    tab.addEventListener("click", () => go({ stage: index }));
    $("tabs").append(tab);
  });
  $("compare").append(make("option", { value: "", textContent: "nothing" }));
  for (const it of data.stages) {
    $("compare").append(make("option", { value: it.name, textContent: it.name }));
  }
}

// The stage that a stage is compared with: that of the other compilation, or the one before it.
const earlier = (index) =>
  data.stages[stageNamed(data.stages[index].beside)] || data.stages[index - 1];

// The reason why the tab of a stage is grey.
const sameText = (index) => data.stages[index].beside
  ? `${data.stages[index].name} is the same in both compilations.`
  : `${data.stages[index].name} changes nothing in this program: it is as ${earlier(index).name}.`;

// The numbers of two compilations.
function buildNumbers() {
  $("numbers").hidden = !data.numbers;
  if (!data.numbers) return;
  const row = (name, cells, tag) => make("tr", {}, make("th", { textContent: name }),
    ...cells.map((textContent) => make(tag, { textContent })));
  const rows = data.numbers.rows.map(([name, cells]) => row(name, cells, "td"));
  $("numbers").append(make("table", {}, row("", data.numbers.columns, "th"), ...rows));
}

// Arrow keys in the tabs.
function turn(event) {
  const count = data.stages.filter((it) => !it.isOther).length;
  const next = {
    ArrowRight: (state.stage + 1) % count,
    ArrowLeft: (state.stage + count - 1) % count,
    Home: 0,
    End: count - 1,
  }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  go({ stage: next });
  $("tabs").children[state.stage].focus();
}

function showStage() {
  for (const [index, tab] of [...$("tabs").children].entries()) {
    tab.setAttribute("aria-selected", String(index === state.stage));
    tab.tabIndex = index === state.stage ? 0 : -1;
  }
  const isSame = $("tabs").children[state.stage].matches(".same");
  $("same").hidden = !isSame;
  $("same").textContent = isSame ? sameText(state.stage) : "";
  showViews();
  $("compare").value = state.compare;
  $("stage-pane").setAttribute("aria-labelledby", `tab-${stage().name}`);
}

// The texts of a compilation whose drawings are not there yet: those of the last one remain.
function showTexts() {
  showStage();
  $("pictures").setAttribute("aria-busy", "true");
  lightTexts(searched());
}

function show() {
  showStage();
  $("pictures").removeAttribute("aria-busy");
  $("pictures").hidden = state.view === "text";
  $("text").hidden = state.view !== "text";
  $("stepper").hidden = state.view !== "steps";
  $("save-svg").disabled = state.view === "text" || stage().drawing === null;
  $("save-dot").disabled = stage().dot === null;
  if (state.view === "text") {
    clearGraph();
    showText();
  }
  if (state.view === "graph") showGraph(stage(), stage().reason);
  if (state.view === "steps") showSteps();
  showDifference();
  filterNodes();
  light();
}

function showViews() {
  for (const button of $("views").children) {
    button.setAttribute("aria-pressed", String(button.value === state.view));
    button.disabled = !available(button.value);
    button.title = button.disabled ? `${stage().name} has no ${button.value}` : "";
  }
  $("step-count").textContent = stage().steps.list.length || "";
}

const searched = () => $("search").value.trim().toLowerCase();

function light() {
  const words = searched();
  lightGraph(words);
  lightTexts(words);
  showInfo();
}

function save(text, extension, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })) });
  link.download = `${data.title}.${stage().name}.${extension}`;
  link.click();
  URL.revokeObjectURL(link.href);
}

async function saveDot() {
  save(await load(stage().dot), "dot", "text/plain");
}

function svgFile() {
  const copy = $("canvas").querySelector("svg").cloneNode(true);
  const { width, height } = $("canvas").querySelector("svg").viewBox.baseVal;
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = document.querySelector("style").textContent;
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy);
}

// A rule's name leads to its next step; Enter, to the next node or step.
function search(isNext) {
  const words = searched();
  const { list } = stage().steps;
  const isRule = (it) => it.rule.toLowerCase() === words;
  const from = isNext && state.view === "steps" ? state.step + 1 : 0;
  const index = list.findIndex((it, at) => at >= from && isRule(it));
  const found = index < 0 ? list.findIndex(isRule) : index;
  if (words !== "" && found >= 0) return goToStep(found);
  if (isNext && words !== "") {
    const isFound = (it) => `${it.name} ${it.text}`.toLowerCase().includes(words);
    const names = stage().nodes.filter(isFound).map((it) => it.name);
    const next = names[names.indexOf(state.node) + 1] || names[0];
    if (next) return go({ node: next, origin: stage().byName.get(next).origin || "" });
  }
  light();
}

function press(event) {
  const isTyping = event.target.matches("select, input:not([type=checkbox])");
  const isTab = event.target.closest("#tabs") !== null;
  if (event.key === "Escape") {
    $("search").value = "";
    return go({ node: "", edge: "", origin: "" });
  }
  if (isTyping || isTab || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const view = { g: "graph", t: "text", s: "steps" }[event.key];
  if (view && available(view)) return go({ view });
  if (event.key === "/") {
    event.preventDefault();
    return $("search").focus();
  }
  if (event.target.closest("pre") !== null) return undefined;
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (state.view === "steps" && by) {
    event.preventDefault();
    return move(by);
  }
  const isInGraph = event.target.closest("#canvas") !== null;
  if (isInGraph && event.key.startsWith("Arrow")) {
    event.preventDefault();
    return walk(event.key);
  }
  return undefined;
}

function listen() {
  $("tabs").addEventListener("keydown", turn);
  $("canvas").addEventListener("click", choose);
  $("canvas").addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") choose(event);
  });
  $("before").addEventListener("click", chooseBefore);
  document.addEventListener("keydown", press);
  $("views").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) go({ view: button.value });
  });
  $("filters").addEventListener("change", (event) => {
    const { value, checked } = event.target;
    if (checked) hidden.delete(value);
    else hidden.add(value);
    show();
  });
  $("compare").addEventListener("change", (event) => {
    go({ compare: event.target.value });
  });
  $("function").addEventListener("change", (event) => {
    go({ function: event.target.value });
  });
  $("search").addEventListener("input", () => search(false));
  $("search").addEventListener("keydown", (event) => event.key === "Enter" && search(true));
  $("slider").addEventListener("input", (event) => move(Number(event.target.value) - state.step));
  $("previous").addEventListener("click", () => move(-1));
  $("next").addEventListener("click", () => move(1));
  $("all-steps").addEventListener("toggle", listSteps);
  $("smaller").addEventListener("click", () => scale(0.8));
  $("larger").addEventListener("click", () => scale(1.25));
  $("whole").addEventListener("click", fit);
  $("save-svg").addEventListener("click", () => save(svgFile(), "svg", "image/svg+xml"));
  $("save-dot").addEventListener("click", saveDot);
  addEventListener("hashchange", () => {
    readAddress();
    refresh();
  });
}

// The report about a newer version of the program that has errors.
function showReport(report) {
  if ($("report").textContent !== report) $("report").textContent = report;
  $("report").hidden = report === "";
}

// A page that is written again reloads itself; its state is in the address.
function reloadIfNewer() {
  const script = make("script", { src: `${data.stamp}?${Date.now()}` });
  window.pageReport = "";
  script.onload = () => {
    script.remove();
    showReport(window.pageReport);
    if (window.pageVersion !== data.version) location.reload();
  };
  script.onerror = () => script.remove();
  document.head.append(script);
}

async function start() {
  if (data.live) return startLive();
  $("title").textContent = data.title;
  $("result").textContent = data.result || "";
  takeStages(JSON.parse(await unpack("stages")));
  buildTabs();
  buildNumbers();
  buildSource();
  buildLinked();
  listen();
  const sea = stageNamed("sea");
  if (sea >= 0) state.stage = sea;
  readAddress();
  if (location.hash === "") state.compare = stage().beside || "";
  refresh();
  if (data.stamp) setInterval(reloadIfNewer, 600);
  return settled;
}

const started = start();
