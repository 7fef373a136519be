// The worker in which an engine searches.
// @ts-check

import { Searcher } from "./searching.js";

/** @typedef {import("./rules.js").Row} Row */
/** @typedef {import("./searching.js").Limits} Limits */

/**
 * The first message makes the engine, each of the others searches.
 * @typedef {{module: WebAssembly.Module, row: Row, megabytes?: number, weights?: ArrayBuffer,
 *   tables?: ArrayBuffer, stop?: Int32Array}} Making
 * @typedef {{id: number, positions: Uint8Array[], limits: Limits, fresh: boolean}} Asking
 */

/** @type {Searcher | undefined} */
let searcher;
let current = 0;

addEventListener("message", (/** @type {MessageEvent<Making | Asking>} */ { data }) => {
  if ("module" in data) {
    searcher = new Searcher(data.module, data.row, data);
    const { stop } = data;
    if (stop) searcher.kernel.goesOn = () => Atomics.load(stop, 0) < current; // the last search to be stopped
    return;
  }
  const { id, positions, limits, fresh } = data;
  if (!searcher) return;
  current = id;
  if (fresh) searcher.forget();
  const report = searcher.search(positions, limits, (better) => postMessage({ id, report: better, done: false }));
  postMessage({ id, report, done: true });
});
