// The engine as a page meets it: searches in a worker, streams what it finds, and can be stopped.
// @ts-check

import { loadModule } from "./kernel.js";
import { chooseMove } from "./levels.js";

/** @typedef {import("./rules.js").Row} Row */
/** @typedef {import("./rules.js").Position} Position */
/** @typedef {import("./game.js").Game} Game */
/** A game as a search looks at it: where it stands, and what can be repeated.
 * @typedef {{positions: readonly Position[], reversible: () => Position[]}} Course */
/** @typedef {import("./searching.js").Limits} Limits */
/** @typedef {import("./searching.js").Report} Report */
/** @typedef {(report: Report) => void} Listener */
/** @typedef {{onReport?: Listener, signal?: AbortSignal, fresh?: boolean}} Options */

/**
 * @typedef {object} Search
 * @property {number} id
 * @property {Listener} onReport
 * @property {(report: Report) => void} resolve
 * @property {(reason: unknown) => void} reject
 */

/** Where pages are isolated from others, a word of shared memory stops a search; elsewhere its worker ends. */
const CAN_SHARE = globalThis.crossOriginIsolated === true;

/** The engine of one variant. One search at a time. */
export class Engine {
  /** @type {Worker | undefined} */
  #worker;
  /** @type {Search | undefined} */
  #running;
  #stop = CAN_SHARE ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
  #searches = 0;

  /**
   * `load` is for most.
   * @param {WebAssembly.Module} module
   * @param {Row} row
   * @param {{megabytes?: number, weights?: ArrayBuffer, tables?: ArrayBuffer}} [options]
   * @param {Worker} [worker]  that has been started already
   */
  constructor(module, row, options = {}, worker = startWorker()) {
    this.row = row;
    this.module = module;
    this.options = options;
    this.#start(worker);
  }

  /**
   * An engine with the weights, and where `tables` is given the endgame tables, at these addresses; or what is fetched
   * already. Its worker starts meanwhile.
   * @param {Row | Promise<Row>} row
   * @param {{megabytes?: number, weights?: string | Promise<ArrayBuffer>, tables?: string}} [options]
   */
  static async load(row, { megabytes, weights, tables } = {}) {
    const worker = startWorker();
    try {
      const files = [typeof weights === "string" ? fetched(weights) : weights, fetched(tables)];
      const [module, known, ...content] = await Promise.all([loadModule(), row, ...files]);
      return new Engine(module, known, { megabytes, weights: content[0], tables: content[1] }, worker);
    } catch (error) {
      worker.terminate();
      throw error;
    }
  }

  /**
   * Searches a position, or that of a game, whose repetitions count. `onReport` gets each report that is better than the
   * last. Where `signal` aborts, the search ends and the promise rejects with the signal's reason.
   * @param {Position | Course} subject
   * @param {Limits} [limits]
   * @param {Options} [options]
   * @returns {Promise<Report>}
   */
  analyse(subject, limits = {}, { onReport = () => undefined, signal, fresh = false } = {}) {
    signal?.throwIfAborted();
    if (this.#running) throw new Error("expected an engine at rest, got one that searches");
    const positions = "positions" in subject ? subject.reversible() : [subject];
    const id = ++this.#searches;
    const cancel = () => this.#cancel(id, signal?.reason);
    signal?.addEventListener("abort", cancel, { once: true });
    return new Promise((/** @type {(report: Report) => void} */ resolve, reject) => {
      this.#running = { id, onReport, resolve, reject };
      this.#worker?.postMessage({ id, positions: positions.map(({ bytes }) => bytes), limits, fresh });
    }).finally(() => signal?.removeEventListener("abort", cancel));
  }

  /**
   * The move of a level from 1 to 10.
   * @param {Position | Game} subject
   * @param {number} level
   * @param {{signal?: AbortSignal, dice?: () => number}} [options]
   */
  play(subject, level, { signal, dice } = {}) {
    return chooseMove(subject, level, (limits, fresh) => this.analyse(subject, limits, { signal, fresh }), dice);
  }

  /** Ends the worker. */
  close() {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#running?.reject(new Error("the engine was closed"));
    this.#running = undefined;
  }

  /** @param {Worker} worker */
  #start(worker) {
    this.#worker = worker;
    this.#worker.addEventListener("message", ({ data }) => this.#onMessage(data));
    this.#worker.addEventListener("error", (event) => {
      this.#running?.reject(new Error(event.message || "the engine has failed"));
      this.#running = undefined;
    });
    const { module, row, options } = this;
    this.#worker.postMessage({ module, row, ...options, stop: this.#stop });
  }

  /** @param {{id: number, report: Report, done: boolean}} message */
  #onMessage({ id, report, done }) {
    const running = this.#running;
    if (running?.id !== id) return;
    if (!done) {
      running.onReport(report);
      return;
    }
    this.#running = undefined;
    running.resolve(report);
  }

  /**
   * @param {number} id
   * @param {unknown} reason
   */
  #cancel(id, reason) {
    const running = this.#running;
    if (running?.id !== id) return;
    this.#running = undefined;
    if (this.#stop) {
      Atomics.store(this.#stop, 0, id); // this search and those before it
    } else {
      this.#worker?.terminate();
      this.#start(startWorker());
    }
    running.reject(reason);
  }
}

/** A worker; a page of another site may only start a script of its own, which then imports this one. */
function startWorker() {
  const script = new URL("./engine_worker.js", import.meta.url);
  if (script.origin === globalThis.location?.origin) return new Worker(script, { type: "module" });
  const own = URL.createObjectURL(new Blob([`import ${JSON.stringify(script.href)};`], { type: "text/javascript" }));
  return new Worker(own, { type: "module" });
}

/**
 * @param {string | undefined} url
 * @returns {Promise<ArrayBuffer | undefined>}
 */
async function fetched(url) {
  if (!url) return undefined;
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`expected ${url}, got status ${answer.status}`);
  return answer.arrayBuffer();
}
