// Trunk's post_build hook, on the staged files:
// - the inline start script becomes a file, since the page's content security policy allows no inline script;
// - worker files get their content's hash into their names (Trunk hashes only the page's), so that a page never starts
//   a worker of another build out of a cache. The page finds the name in <meta name="headroom-worker">.
// A development build keeps inline script (Trunk injects its live reload while serving) and plain names.
import { createHash } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.env.TRUNK_STAGING_DIR;
const release = process.env.TRUNK_PROFILE === "release";
const page = join(folder, "index.html");
let html = readFileSync(page, "utf8");
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

function once(from, to) {
  if (html.split(from).length !== 2) throw new Error(`index.html: expected once: ${from}`);
  html = html.replace(from, () => to);
}

let worker = "worker_loader.js";
if (release) {
  const inline = /<script type="module">([\s\S]*?)<\/script>/g;
  const scripts = [...html.matchAll(inline)];
  if (scripts.length !== 1) throw new Error(`index.html: expected one inline script, found ${scripts.length}`);
  const [tag, code] = scripts[0];
  const start = `start-${hash(code)}.js`;
  writeFileSync(join(folder, start), `${code.trim()}\n`);
  once(tag, `<script type="module" src="./${start}"></script>`);

  const wasm = readFileSync(join(folder, "worker_bg.wasm"));
  const glue = readFileSync(join(folder, "worker.js"), "utf8");
  const id = hash(Buffer.concat([wasm, Buffer.from(glue)]));
  renameSync(join(folder, "worker_bg.wasm"), join(folder, `worker-${id}_bg.wasm`));
  rmSync(join(folder, "worker.js"));
  rmSync(join(folder, "worker_loader.js"));
  writeFileSync(join(folder, `worker-${id}.js`), glue.replaceAll("worker_bg.wasm", `worker-${id}_bg.wasm`));
  worker = `worker-${id}_loader.js`;
  writeFileSync(join(folder, worker), `import init from "./worker-${id}.js";\nawait init();\n`);
} else {
  once("script-src 'self'", "script-src 'self' 'unsafe-inline'");
  once("style-src 'self'", "style-src 'self' 'unsafe-inline'");
}
once("</head>", `<meta name="headroom-worker" content="./${worker}"></head>`);
writeFileSync(page, html);
