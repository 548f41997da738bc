// A live page shows one compilation after the other. The page around it sends messages:
//   { show: { source, result, address, stages } }   the stages as JSON, the state as an address
//   { steps }                                       the steps of these stages as JSON, if they came
//                                                   without
//   { cursor: 12 }                                  a place in the source: it is selected
//   { drawing: 3, text } or { drawing: 3, reason }  a drawing, or the reason why there is none
// and receives:
//   { ready: true }                     it listens
//   { wanted: 3 }                       it needs a drawing
//   { address, origin }                 its state, and the selected place
//   { shown: true }                     it shows the texts of the last compilation
//   { drawn: true }                     it shows its drawing, too

// The frame has the origin of the page around it.
const tell = (message) => parent.postMessage(message, self.origin);

// The drawings that were asked for: their numbers, and what to do when they come.
const requests = new Map();

function requested(number) {
  return new Promise((resolve) => {
    requests.set(number, resolve);
    tell({ wanted: number });
  });
}

function receiveDrawing({ drawing, text, reason }) {
  if (reason) {
    for (const it of data.stages.flatMap((of) => [of, of.steps])) {
      if (it.drawing === drawing) Object.assign(it, { drawing: null, reason });
    }
  }
  const resolve = requests.get(drawing);
  requests.delete(drawing);
  if (resolve) resolve(text);
}

// A drawing waits until nobody has typed for as long as the last one took, in milliseconds, but for
// no longer than this.
const MAX_PAUSE = 400;
let pause = 0;

// The next version of the program, in the same state as the last one; also zoom and place remain.
async function renew({ source, result, address, stages }) {
  const last = data.stages && shownPlace();
  const kept = address || (data.stages ? addressOf() : "");
  Object.assign(data, { source, result });
  takeStages(JSON.parse(stages));
  parts.clear();
  for (const resolve of requests.values()) resolve();
  requests.clear();
  for (const id of ["tabs", "compare", "linked-pane"]) $(id).replaceChildren();
  [drawn, shownText, keptPlace] = [null, "", last];
  delete $("all-steps").querySelector("ol").dataset.stage;
  $("result").textContent = result || "";
  buildTabs();
  buildLinked();
  state.stage = Math.max(0, stageNamed("sea"));
  readAddress(kept);
  if (document.body.inert) {
    document.body.inert = false;
    listen();
  }
  await showNext(data.stages);
}

// Shows these stages: their texts at once, and their drawings when nobody types.
async function showNext(stages) {
  const isDraft = isPlaceOf(keptPlace) && neededParts().length > 0;
  if (isDraft) {
    showTexts();
    tell({ shown: true });
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  if (data.stages !== stages) return;
  const start = performance.now();
  settled = Promise.resolve(refresh() || settled);
  await settled;
  if (data.stages !== stages) return;
  pause = Math.min(performance.now() - start, MAX_PAUSE);
  if (!isDraft) tell({ shown: true });
  tell({ drawn: true });
}

// The steps of the shown stages. What is shown stays as it is.
function receiveSteps(all) {
  for (const [index, steps] of JSON.parse(all).entries()) {
    Object.assign(data.stages[index], { steps, graphs: undefined });
  }
  delete $("all-steps").querySelector("ol").dataset.stage;
  showViews();
}

// Selects the shortest place around a position in the source.
function selectAt(position) {
  let best = null;
  for (const it of data.stages.flatMap((of) => [...of.nodes.map((node) => node.origin),
    ...of.lines.flat()])) {
    if (!it) continue;
    const [start, end] = it.split("-").map(Number);
    if (start > position || end < position) continue;
    if (best === null || end - start < best.length) best = { origin: it, length: end - start };
  }
  if (best !== null && best.origin !== state.origin) selectOrigin(best.origin);
}

function startLive() {
  document.body.classList.add("live");
  document.body.inert = true;
  addEventListener("message", ({ origin, source, data: message }) => {
    if (origin !== self.origin || source !== parent) return;
    if (message.show) renew(message.show);
    if (message.steps && data.stages) receiveSteps(message.steps);
    if ("drawing" in message && data.stages) receiveDrawing(message);
    if ("cursor" in message && data.stages) selectAt(message.cursor);
  });
  tell({ ready: true });
}
