// Calls the exports of a compiler for the browser: a call is a line of JSON, and so is its answer.
// node wasm.mjs FILE
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { call, instantiate } from "../../crates/playground/page/compiler.js";

const module = await WebAssembly.compile(await readFile(process.argv[2]));
let exports = await instantiate(module);

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  const start = performance.now();
  try {
    const { name, input, numbers } = JSON.parse(line);
    answer = { text: call(exports, name, input, numbers) };
  } catch (error) {
    answer = { trap: String(error) };
    exports = await instantiate(module);
  }
  const time = performance.now() - start;
  const memory = exports.memory.buffer.byteLength;
  process.stdout.write(`${JSON.stringify({ ...answer, time, memory })}\n`);
}
