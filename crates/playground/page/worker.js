// The compiler in a worker: the page stays usable while it works. It receives { id, call, … } and
// answers { id, … }; a run answers again and again until it ends or another message comes.

let compiler = null;
let url = "";
let running = 0;

// Memory of WebAssembly does not shrink: above this size, the next compilation has a new instance.
const MAX_MEMORY = 400 << 20;

// The instructions of a part of a run.
const PART = 4_000_000;

async function instantiate() {
  const bytes = await fetch(url);
  if (!bytes.ok) throw new Error(`${url}: ${bytes.status}`);
  const module = await WebAssembly.compile(await bytes.arrayBuffer());
  return { module, exports: (await WebAssembly.instantiate(module)).exports };
}

async function renew() {
  compiler.exports = (await WebAssembly.instantiate(compiler.module)).exports;
}

// Calls an export with an input; its output is a text.
function call(name, input = "", ...numbers) {
  const { exports } = compiler;
  const bytes = new TextEncoder().encode(input);
  const address = exports.input(bytes.length) >>> 0;
  new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
  const length = exports[name](...numbers);
  const output = new Uint8Array(exports.memory.buffer, exports.output() >>> 0, length);
  return new TextDecoder().decode(output);
}

const calls = {
  async load({ address }) {
    url = address;
    compiler = await instantiate();
    return { catalogue: JSON.parse(call("catalogue")), explorer: call("explorer_page") };
  },
  async compile({ request }) {
    running = 0;
    if (compiler.exports.memory.buffer.byteLength > MAX_MEMORY) await renew();
    const answer = JSON.parse(call("compile", JSON.stringify(request)));
    return { answer, stages: call("stages") };
  },
  drawing: ({ number }) => JSON.parse(call("drawing", "", number)),
  run({ id, words }) {
    running = id;
    let behaviour = JSON.parse(call("start", JSON.stringify(words)));
    const part = () => {
      if (running !== id || behaviour.ended) return;
      attempt(id, async () => {
        behaviour = JSON.parse(call("advance", "", PART));
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
    if (compiler) await renew();
  }
}

onmessage = ({ data }) => attempt(data.id, () => calls[data.call](data));
