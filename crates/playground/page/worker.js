// The compiler in a worker: the page stays usable while it works. It receives { id, call, … } and
// answers { id, … }; a run answers again and again until it ends or another message comes.

import { call, instantiate } from "./compiler.js";

let module = null;
let exports = null;
let url = "";
let running = 0;

// Memory of WebAssembly does not shrink: above this size, the next compilation has a new instance.
const MAX_MEMORY = 128 << 20;

// The instructions of a part of a run.
const PART = 4_000_000;

async function load() {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  module = await WebAssembly.compile(await response.arrayBuffer());
  exports = await instantiate(module);
}

const ask = (name, input, ...numbers) => call(exports, name, input, numbers);

const calls = {
  async load({ address }) {
    url = address;
    await load();
    return { catalogue: JSON.parse(ask("catalogue")), explorer: ask("explorer_page") };
  },
  async compile({ request }) {
    running = 0;
    if (exports.memory.buffer.byteLength > MAX_MEMORY) exports = await instantiate(module);
    const answer = JSON.parse(ask("compile", JSON.stringify(request)));
    return { answer, stages: ask("stages") };
  },
  steps: ({ request }) => ({ steps: ask("steps", JSON.stringify(request)) }),
  drawing: ({ number }) => JSON.parse(ask("drawing", "", number)),
  run({ id, words }) {
    running = id;
    let behaviour = JSON.parse(ask("start", JSON.stringify(words)));
    const part = () => {
      if (running !== id || behaviour.ended) return;
      attempt(id, async () => {
        behaviour = JSON.parse(ask("advance", "", PART));
        setTimeout(part);
        return behaviour;
      });
    };
    setTimeout(part);
    return behaviour;
  },
  stop() {
    running = 0;
    return {};
  },
};

// A trap is a fault of the compiler, or there is no more memory; a new instance goes on.
async function attempt(id, act) {
  try {
    postMessage({ id, ...await act() });
  } catch (error) {
    running = 0;
    postMessage({ id, failure: `The compiler failed: ${error.message}` });
    if (module) exports = await instantiate(module);
  }
}

onmessage = ({ data }) => attempt(data.id, () => calls[data.call](data));
