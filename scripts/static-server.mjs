// A static file server for looking at dist/ and for the browser tests: what any static host does, and nothing more.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { basename, extname, resolve, sep } from "node:path";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/**
 * Serves `folder` under `base` ("/" or "/some/path/"); resolves to the listening server. `added` gives for a file name
 * what is sent after its content.
 */
export function serve(folder, { port = 0, base = "/", added = () => "" } = {}) {
  const root = resolve(folder);
  const server = createServer((request, response) => {
    const refuse = (status) => response.writeHead(status, { "content-type": "text/plain" }).end(`${status}\n`);
    if (request.method !== "GET" && request.method !== "HEAD") return refuse(405);
    let path;
    try {
      path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    } catch {
      return refuse(400);
    }
    if (!path.startsWith(base)) return refuse(404);
    const file = resolve(root, `./${path.slice(base.length) || "index.html"}`);
    if (file !== root && !file.startsWith(root + sep)) return refuse(404);
    let size;
    try {
      const stat = statSync(file);
      if (!stat.isFile()) return refuse(404);
      size = stat.size;
    } catch {
      return refuse(404);
    }
    const more = added(basename(file));
    response.writeHead(200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "content-length": size + Buffer.byteLength(more),
      // The names carry hashes, but whoever builds again wants to see it at once.
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    });
    if (request.method === "HEAD") return response.end();
    const content = createReadStream(file).on("error", () => response.destroy());
    content.on("end", () => response.end(more)).pipe(response, { end: false });
  });
  return new Promise((done, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", () => done(server));
  });
}
