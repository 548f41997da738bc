// A compiler for the browser: a module of WebAssembly whose exports take and return texts.

// A library of the compiler can ask for the time, which the compiler never does.
function imports(module) {
  const all = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    all[from] ??= {};
    all[from][name] = () => { throw new Error(`the compiler asks for ${name}`); };
  }
  return all;
}

export const instantiate = async (module) =>
  (await WebAssembly.instantiate(module, imports(module))).exports;

// Calls an export with an input and numbers; its output is a text.
export function call(exports, name, input = "", numbers = []) {
  const bytes = new TextEncoder().encode(input);
  const address = exports.input(bytes.length) >>> 0;
  new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
  const length = exports[name](...numbers);
  const output = new Uint8Array(exports.memory.buffer, exports.output() >>> 0, length);
  return new TextDecoder().decode(output);
}
