// Starts the simulation worker as it is shipped, and tells how much memory it has taken when asked.
const { default: start } = await import(new URL(WORKER, self.location.href).href);
const exported = await start({ module_or_path: new URL(WASM, self.location.href).href });
self.addEventListener("message", ({ data }) => {
  if (data === "memory") self.postMessage({ memory: exported.memory.buffer.byteLength });
});
