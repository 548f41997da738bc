// The page: one editor, one or two versions of a program, and the controls of the version that is
// edited.
import { makeEditor } from "./editor.js";
import { pack, read } from "./link.js";
import { Version, stateOf } from "./version.js";

const $ = (id) => document.getElementById(id);

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

const versions = [];
let current = 0;
let chapter = 0;
// The chapters that have a compiler of their own, and the last one.
let chapters = { own: [], last: 0 };

const version = () => versions[current];

// For measurements and tests: when the text was edited, and since when the page shows the texts of
// its stages, and the drawing.
const status = { edited: 0, shown: 0, drawn: 0, isReady: false };
window.playground = { status, versions, version, edit: (text) => editor.replace(text) };

const editor = makeEditor($("editor"), {
  changed(text) {
    version().state.source = text;
    editor.select("");
    status.edited = performance.now();
    version().compile();
    remember();
  },
  moved: (position) => version().answer?.report === "" && version().tell({ cursor: position }),
  run: () => version().run(),
});

// What happens to a version is shown if it is the one that is edited.
const page = {
  compiled(it) {
    if (it === version()) showReport();
    showDifference();
  },
  ran(it) {
    if (it === version()) showRun();
    showDifference();
  },
  selected(it, origin) {
    if (it === version()) editor.select(origin);
    remember();
  },
  traced: () => showDifference(),
  // Whether steps are shown: then they are made with the stages.
  showsSteps: () => versions.length > 1 ||
    versions.some((it) => it.state.address.includes("view=steps")),
  shown: (it) => painted(() => it === version() && (status.shown = performance.now())),
  drawn: (it) => painted(() => it === version() && (status.drawn = performance.now())),
  failed(it, reason) {
    it.answer = { diagnostics: [], report: reason, functions: [] };
    if (it === version()) showReport();
  },
};

// Calls a function when everything up to now is on the screen.
const painted = (act) => requestAnimationFrame(() => setTimeout(act));

function showReport() {
  const { answer } = version();
  const report = answer ? answer.report : "";
  if ($("report").textContent !== report) $("report").textContent = report;
  $("report").hidden = report === "";
  editor.mark(answer ? answer.diagnostics : []);
}

function showRun() {
  const { behaviour, answer, isBusy } = version();
  const isRunning = behaviour !== null && !behaviour.ended;
  $("stop").disabled = !isRunning && !isBusy;
  const count = behaviour ? behaviour.instructions.toLocaleString("en") : "";
  $("progress").textContent = isBusy ? "compiling" : behaviour === null ? ""
    : isRunning ? `running: ${count} instructions` : behaviour.error || `${count} instructions`;
  $("progress").classList.toggle("failed", Boolean(!isBusy && behaviour && behaviour.error));
  $("output").textContent = behaviour ? behaviour.output + behaviour.errors : "";
  const counts = new Map(behaviour ? behaviour.functions.map((it) => [it.name, it.instructions])
    : []);
  const rows = (answer ? answer.functions : []).map(({ name, bytes }) => make("tr", {},
    make("td", { textContent: name }),
    make("td", { textContent: (counts.get(name) ?? 0).toLocaleString("en") }),
    make("td", { textContent: bytes.toLocaleString("en") })));
  $("counts").tBodies[0].replaceChildren(...rows);
  $("counts").hidden = rows.length === 0;
}

// The difference of two versions without errors: their counts, and the stages whose texts or steps
// differ.
function showDifference() {
  const [one, other] = versions;
  const isShown = versions.length > 1 && versions.every((it) => it.answer?.report === "");
  $("difference").hidden = !isShown;
  if (!isShown) return;
  const total = (it, list, field) => (it ? it[list] : []).reduce((sum, of) => sum + of[field], 0);
  const executed = [one, other].map((it) => total(it.behaviour, "functions", "instructions"));
  const bytes = [one, other].map((it) => total(it.answer, "functions", "bytes"));
  const [texts, others] = [one, other].map((it) => it.listings());
  const names = [...new Set([...texts.keys(), ...others.keys()])];
  const differs = names.filter((it) => texts.get(it) !== others.get(it));
  $("difference").textContent = `Instructions executed: ${executed.join(" and ")}; bytes: ` +
    `${bytes.join(" and ")}. ${differs.length === 0 ? "All stages are the same."
      : `Stages that differ: ${differs.join(", ")}.`}`;
}

// The controls of the version that is edited.
function showControls() {
  const { catalogue, state } = version();
  $("language").replaceChildren(...catalogue.languages.map(({ extension, name }) =>
    make("option", { value: extension, textContent: name })));
  $("language").value = state.language;
  $("arguments").value = state.arguments;
  $("selects").replaceChildren(...catalogue.options.map(({ name, title, values }) => {
    const options = values.map((it) =>
      make("option", { value: it, textContent: it || "directly" }));
    const select = make("select", { name }, ...options);
    select.value = state.options[name] ?? values[0];
    return make("label", {}, `${title} `, select);
  }));
  if (catalogue.rewrites.length > 0) {
    const all = make("input", { type: "checkbox", name: "optimize" });
    all.checked = state.options.optimize !== false;
    $("selects").append(make("label", {}, all, " rewrites"));
  }
  for (const [id, list] of [["rewrites", state.without], ["rules", state.withoutRules]]) {
    const rows = catalogue[id].map(({ name, law }) => {
      const box = make("input", { type: "checkbox", value: name });
      box.checked = !list.includes(name);
      return make("label", {}, box, ` ${name} `, make("code", { textContent: law }));
    });
    $(id).replaceChildren($(id).firstElementChild, ...rows);
    $(id).hidden = rows.length === 0;
  }
  showChanged();
  findRules();
  versions.forEach((it, index) => {
    $(`version-${index}`).setAttribute("aria-selected", String(index === current));
    $(`version-${index}`).tabIndex = index === current ? 0 : -1;
    it.title.hidden = versions.length < 2;
  });
  $("versions").hidden = versions.length < 2;
  $("compare").checked = versions.length > 1;
}

function showChanged() {
  const { without, withoutRules, options } = version().state;
  const switched = [...without, ...withoutRules].map((it) => `without ${it}`);
  const others = Object.entries(options).map(([name, value]) => `${name} ${value}`);
  $("changed").textContent = [...others, ...switched].join(", ");
}

function findRules() {
  const words = $("find").value.trim().toLowerCase();
  for (const label of $("options").querySelectorAll("fieldset label")) {
    label.hidden = !label.textContent.toLowerCase().includes(words);
  }
}

// An option or a rule was switched.
function switchOption({ target }) {
  const { state, catalogue } = version();
  if (target.name === "optimize") {
    if (target.checked) delete state.options.optimize;
    else state.options.optimize = false;
  } else if (target.name) {
    const [first] = catalogue.options.find((it) => it.name === target.name).values;
    if (target.value === first) delete state.options[target.name];
    else state.options[target.name] = target.value;
  } else if (target.type === "checkbox") {
    const key = target.closest("fieldset").id === "rules" ? "withoutRules" : "without";
    const others = state[key].filter((it) => it !== target.value);
    state[key] = target.checked ? others : [...others, target.value];
  } else {
    return;
  }
  showChanged();
  recompile();
}

function recompile() {
  status.edited = performance.now();
  version().compile();
  remember();
}

function open(index) {
  current = index;
  editor.open(version().state.source, version().state.language);
  showControls();
  showReport();
  showRun();
  showDifference();
}

// A compiler for each version: that of the chapter, or the last one.
async function load(it) {
  const own = chapters.own.includes(chapter);
  const catalogue = await it.load(own ? `sonc-${String(chapter).padStart(2, "0")}.wasm`
    : "sonc.wasm");
  $("note").textContent = chapter === 0 || own || chapter === chapters.last ? ""
    : `This is the compiler of chapter ${chapters.last}; that of chapter ${chapter} is not here.`;
  if (catalogue && !catalogue.languages.some((of) => of.extension === it.state.language)) {
    it.state.language = "smp";
  }
  return catalogue;
}

async function addVersion(state) {
  const added = new Version($("stages"), versions.length, page);
  added.state = stateOf(state);
  if (await load(added)) versions.push(added);
  else added.remove();
  return added;
}

async function compareVersions() {
  if ($("compare").checked) {
    const added = await addVersion(structuredClone(versions[0].state));
    open(versions.indexOf(added));
    added.compile();
  } else {
    versions.pop().remove();
    open(0);
  }
  remember();
}

async function changeChapter() {
  chapter = Number($("chapter").value);
  for (const it of versions) {
    if (await load(it)) it.compile();
  }
  open(current);
  remember();
}

// Writes the state into the address, soon: not at each key.
let writing = 0;
function remember() {
  clearTimeout(writing);
  writing = setTimeout(async () => {
    history.replaceState(null, "", await fragment());
  }, 300);
}

async function fragment() {
  const states = versions.map((it) => it.state);
  return `#state=${await pack({ chapter, current, versions: states })}`;
}

async function share() {
  const link = new URL(await fragment(), location.href).href;
  history.replaceState(null, "", link);
  const copied = await navigator.clipboard.writeText(link).then(() => true, () => false);
  $("note").textContent = copied ? "The link is copied." : "The link is in the address bar.";
}

async function restore() {
  const linked = await read(location.hash);
  const state = linked && Array.isArray(linked.versions) ? linked : { versions: [{}] };
  chapter = state.chapter || chapters.last;
  $("chapter").value = String(chapters.own.includes(chapter) ? chapter : chapters.last);
  while (versions.length > 0) versions.pop().remove();
  for (const it of state.versions.slice(0, 2)) await addVersion(it);
  if (versions.length === 0) return;
  open(Math.min(state.current || 0, versions.length - 1));
  await Promise.all(versions.map((it) => it.compile()));
  status.isReady = true;
}

function listen() {
  $("run").addEventListener("submit", (event) => {
    event.preventDefault();
    version().run();
  });
  $("stop").addEventListener("click", () => version().stop());
  $("arguments").addEventListener("input", () => {
    version().state.arguments = $("arguments").value;
    version().run();
    remember();
  });
  $("options").addEventListener("change", switchOption);
  $("find").addEventListener("input", findRules);
  $("language").addEventListener("change", () => {
    version().state.language = $("language").value;
    editor.open(version().state.source, version().state.language);
    recompile();
  });
  $("chapter").addEventListener("change", changeChapter);
  $("compare").addEventListener("change", compareVersions);
  $("share").addEventListener("click", share);
  for (const index of [0, 1]) {
    $(`version-${index}`).addEventListener("click", () => open(index));
  }
  $("versions").addEventListener("keydown", ({ key }) => {
    if (key !== "ArrowLeft" && key !== "ArrowRight") return;
    open(1 - current);
    $(`version-${current}`).focus();
  });
  addEventListener("hashchange", restore);
}

async function start() {
  const list = await fetch("chapters.json").catch(() => null);
  if (list === null || !list.ok) {
    $("note").textContent = "The playground needs a server: `cargo chapter serve`, or any other.";
    return;
  }
  chapters = await list.json();
  const numbers = [...new Set([...chapters.own, chapters.last])];
  $("chapter").replaceChildren(...numbers.map((it) =>
    make("option", { value: it, textContent: `chapter ${it}` })));
  listen();
  await restore();
}

start();
