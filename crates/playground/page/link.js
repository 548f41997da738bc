// The state of the page in the fragment of its address: JSON, compressed and in base 64 with the
// letters that an address may contain. A link of the book has a readable form, too:
// #source=return 1;&language=smp&arguments=3&chapter=4

const pipe = (bytes, stream) =>
  new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();

export async function pack(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const packed = new Uint8Array(await pipe(bytes, new CompressionStream("deflate-raw")));
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpack(text) {
  const digits = text.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(digits), (it) => it.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(
    await pipe(bytes, new DecompressionStream("deflate-raw"))));
}

// The state in a fragment; null if it has none that can be read.
export async function read(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  if (fields.has("state")) return unpack(fields.get("state")).catch(() => null);
  if (!fields.has("source")) return null;
  return {
    chapter: Number(fields.get("chapter")) || 0,
    versions: [{
      source: fields.get("source"),
      language: fields.get("language") || "smp",
      arguments: fields.get("arguments") || "",
    }],
  };
}
