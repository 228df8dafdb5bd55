// `make run` ends with its server, whoever the signal was sent to.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** A port that nobody listens on now. */
const freePort = () => new Promise((done) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});

const served = (port) => fetch(`http://127.0.0.1:${port}/`).then((r) => r.ok, () => false);

async function until(what, holds) {
  for (let i = 0; i < 100; i++) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  assert.fail(`not within 10 s: ${what}`);
}

/** The Makefile with its scripts, but nothing to build. */
function folder() {
  const at = mkdtempSync(join(tmpdir(), "headroom-make-"));
  mkdirSync(join(at, "scripts"));
  mkdirSync(join(at, "dist"));
  for (const name of ["Makefile", "Cargo.lock"]) copyFileSync(join(ROOT, name), join(at, name));
  for (const name of ["lib.sh", "run.sh", "serve.mjs", "static-server.mjs"]) {
    copyFileSync(join(ROOT, "scripts", name), join(at, "scripts", name));
  }
  writeFileSync(join(at, "scripts/dist.sh"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(join(at, "dist/index.html"), "here");
  return at;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  test(`${signal} sent to make alone stops the server`, async () => {
    const at = folder();
    const port = await freePort();
    // Not as a part of the make that may run this test.
    const { MAKEFLAGS, MFLAGS, MAKELEVEL, ...env } = process.env;
    const make = spawn("make", ["run"], {
      cwd: at, env: { ...env, PORT: String(port) }, stdio: "ignore", detached: true,
    });
    const ended = new Promise((done) => make.on("exit", done));
    try {
      await until("served", () => served(port));
      process.kill(make.pid, signal);
      await until("stopped", async () => !(await served(port)));
      await ended;
    } finally {
      try {
        process.kill(-make.pid, "SIGKILL");
      } catch {
        // all of it is gone, as it should be
      }
      rmSync(at, { recursive: true, force: true });
    }
  });
}
