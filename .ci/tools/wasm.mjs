// Calls the exports of a compiler for the browser: a call is a line of JSON, and so is its answer.
// node wasm.mjs FILE
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";

const module = await WebAssembly.compile(await readFile(process.argv[2]));
let { exports } = await WebAssembly.instantiate(module);

function call({ name, input, numbers }) {
  const bytes = new TextEncoder().encode(input);
  const address = exports.input(bytes.length) >>> 0;
  new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
  const length = exports[name](...numbers);
  const output = new Uint8Array(exports.memory.buffer, exports.output() >>> 0, length);
  return { text: new TextDecoder().decode(output), memory: exports.memory.buffer.byteLength };
}

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  const start = performance.now();
  try {
    answer = call(JSON.parse(line));
  } catch (error) {
    answer = { trap: String(error) };
    ({ exports } = await WebAssembly.instantiate(module));
  }
  const time = performance.now() - start;
  process.stdout.write(`${JSON.stringify({ ...answer, time })}\n`);
}
