// Trunk's post_build hook, on the staged files:
// - the inline start script becomes a file, since the page's content security policy allows no inline script;
// - worker files get their content's hash into their names (Trunk hashes only the page's), so that a page never starts
//   a worker of another build out of a cache. The page finds the names in <meta name="headroom-worker"> and
//   <meta name="headroom-collector">.
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

const loaders = { worker: "worker_loader.js", collector: "collector_loader.js" };
if (release) {
  const inline = /<script type="module">([\s\S]*?)<\/script>/g;
  const scripts = [...html.matchAll(inline)];
  if (scripts.length !== 1) throw new Error(`index.html: expected one inline script, found ${scripts.length}`);
  const [tag, code] = scripts[0];
  const start = `start-${hash(code)}.js`;
  writeFileSync(join(folder, start), `${code.trim()}\n`);
  once(tag, `<script type="module" src="./${start}"></script>`);

  for (const role of Object.keys(loaders)) {
    const wasm = readFileSync(join(folder, `${role}_bg.wasm`));
    const glue = readFileSync(join(folder, `${role}.js`), "utf8");
    const name = `${role}-${hash(Buffer.concat([wasm, Buffer.from(glue)]))}`;
    renameSync(join(folder, `${role}_bg.wasm`), join(folder, `${name}_bg.wasm`));
    rmSync(join(folder, `${role}.js`));
    rmSync(join(folder, `${role}_loader.js`));
    writeFileSync(join(folder, `${name}.js`), glue.replaceAll(`${role}_bg.wasm`, `${name}_bg.wasm`));
    loaders[role] = `${name}_loader.js`;
    writeFileSync(join(folder, loaders[role]), `import init from "./${name}.js";\nawait init();\n`);
  }
} else {
  once("script-src 'self'", "script-src 'self' 'unsafe-inline'");
  once("style-src 'self'", "style-src 'self' 'unsafe-inline'");
}
const metas = Object.entries(loaders).map(([role, loader]) => `<meta name="headroom-${role}" content="./${loader}">`);
once("</head>", `${metas.join("")}</head>`);
writeFileSync(page, html);
