// In the page: drives shipped workers by their own messages (src/runner/protocol.rs) and takes times.
const READY = 0, TRIALS = 1, PROJECTION = 3, ALIVE = 5, REFUSED = 6;
const PLAN = 0, SIMULATE = 1, COLLECT = 4, ADD = 5, PROJECT = 7;

/** Numbers as postcard writes them. */
function varints(numbers) {
  const bytes = [];
  for (let n of numbers) {
    for (; n > 127; n = Math.floor(n / 128)) bytes.push((n % 128) | 128);
    bytes.push(n);
  }
  return new Uint8Array(bytes).buffer;
}

function read(bytes, at) {
  let [n, unit] = [0, 1];
  for (; ; at++, unit *= 128) {
    n += (bytes[at] & 127) * unit;
    if (bytes[at] < 128) return [n, at + 1];
  }
}

/** What a response says: its kind and, of trials, how many. */
function response([head]) {
  const bytes = new Uint8Array(head);
  if (bytes[0] === READY || bytes[0] === ALIVE) return { kind: bytes[0] };
  let at = 1, count;
  [, at] = read(bytes, at); // the run
  if (bytes[0] === TRIALS) {
    [, at] = read(bytes, at); // the first
    [count] = read(bytes, at);
  }
  return { kind: bytes[0], count };
}

/** A worker that listens. `hear(kind, count, body)` gets what it says. */
async function listening(role = "worker") {
  const worker = new Worker(`./bench-${role}.js`, { type: "module" });
  const one = { worker, hear: () => {}, say: (head, body) => worker.postMessage(body ? [varints(head), body] : [varints(head)]) };
  await new Promise((ready, failed) => {
    worker.onerror = (event) => failed(new Error(event.message));
    worker.onmessage = ({ data }) => {
      if (!Array.isArray(data)) return one.memory?.(data.memory);
      const said = response(data);
      if (said.kind === REFUSED) throw new Error("a worker refused a message");
      if (said.kind === READY) ready();
      else one.hear(said.kind, said.count, data[1]);
    };
  });
  one.taken = () => new Promise((done) => { one.memory = done; worker.postMessage("memory"); });
  return one;
}

let run = 0;

/** Gives workers a plan; resolves when all have made it ready. */
function plan(workers, bytes) {
  run += 1;
  return Promise.all(workers.map((one) => new Promise((done) => {
    one.hear = (kind) => kind === ALIVE && done();
    one.say([PLAN, run], bytes.slice(0));
  })));
}

/** Plays trials, shared out in equal parts; resolves to milliseconds. `keep` gets the columns. */
async function play(workers, first, trials, keep = () => {}) {
  const started = performance.now();
  const part = Math.ceil(trials / workers.length);
  await Promise.all(workers.map((one, i) => new Promise((done) => {
    const from = i * part, count = Math.min(part, trials - from);
    let left = count;
    one.hear = (kind, n, body) => {
      if (kind !== TRIALS) return;
      keep(body);
      left -= n;
      if (left === 0) done();
    };
    one.say([SIMULATE, run, first + from, count]);
  })));
  return performance.now() - started;
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** Nanoseconds per cell with one and with two workers, in turns. */
async function speed(bytes, cells, trials, rounds) {
  const two = [await listening(), await listening()];
  await plan(two, bytes);
  await play(two, 0, trials); // warms up
  const times = { one: [], two: [] };
  let first = 0;
  for (let i = 0; i < rounds; i++) {
    times.one.push(await play(two.slice(0, 1), (first += trials), trials));
    times.two.push(await play(two, (first += trials), trials));
  }
  for (const { worker } of two) worker.terminate();
  const nanoseconds = (list) => (median(list) * 1e6) / (cells * trials);
  return { one: nanoseconds(times.one), two: nanoseconds(times.two) };
}

/** From a fresh worker to the first 100 trials, tables included, in milliseconds. */
async function boot(bytes) {
  const started = performance.now();
  const one = [await listening()];
  const booted = performance.now() - started;
  await plan(one, bytes);
  const ready = performance.now() - started;
  await play(one, 0, 100);
  one[0].worker.terminate();
  return { booted, tables: ready - booted, first100: performance.now() - started };
}

/** Peak memory of a trial worker and of the collector, and milliseconds of the last projection. */
async function memory(bytes, trials) {
  const [worker, collector] = [await listening(), await listening("collector")];
  await plan([worker], bytes);
  collector.say([COLLECT, run], bytes.slice(0));
  await play([worker], 0, trials, (body) => collector.say([ADD, run], body));
  const started = performance.now();
  await new Promise((done) => {
    collector.hear = (kind) => kind === PROJECTION && done();
    collector.say([PROJECT, run]);
  });
  const projected = performance.now() - started;
  const taken = { trials: await worker.taken(), collector: await collector.taken(), projected };
  worker.worker.terminate();
  collector.worker.terminate();
  return taken;
}

/** The same workload in plain JavaScript, nanoseconds per cell. */
async function peer(trials) {
  const { simulate, summarize } = await import("./r1.mjs");
  simulate(20, 1); // warms up
  const started = performance.now();
  summarize(simulate(trials, 42), trials);
  return ((performance.now() - started) * 1e6) / (8760 * 10 * trials);
}

window.bench = { speed, boot, memory, peer };
