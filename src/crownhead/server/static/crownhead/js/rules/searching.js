// The engine of one variant, in the thread that calls it: in a worker, or in a program without pages.
// @ts-check

import { Kernel } from "./kernel.js";

/** @typedef {import("./rules.js").Move} Move */
/** @typedef {import("./rules.js").Row} Row */

/**
 * What to search for; without any bound for a second. `lines`: so many of the best moves.
 * @typedef {object} Limits
 * @property {number} [depth]  plies
 * @property {number} [nodes]
 * @property {number} [seconds]
 * @property {number} [lines]
 * @property {boolean} [tables]  false: without the endgame tables
 */

/** @typedef {{origin: number, target: number, crowns: boolean, captures: number[]}} Step */

/**
 * A principal variation, `score` in hundredths of a man for the side to move; beyond ±29,500 a forced win or loss,
 * 30,000 less the plies until then.
 * @typedef {{score: number, moves: Step[]}} Line
 */

/**
 * `verdict`: what the endgame tables know, for the side to move.
 * @typedef {object} Report
 * @property {number} depth
 * @property {number} reached
 * @property {number} nodes
 * @property {number} milliseconds
 * @property {Line[]} lines
 * @property {"win" | "draw" | "loss" | null} verdict
 */

const MAX_DEPTH = 100;
/** With more pieces no search reaches the endgame tables. */
const MAX_PIECES_WITH_TABLES = 16;
const VERDICTS = /** @type {const} */ (["draw", "win", "loss"]);

/** An engine, with its transposition table. */
export class Searcher {
  /**
   * @param {WebAssembly.Module} module
   * @param {Row} row
   * @param {{megabytes?: number, weights?: ArrayBuffer, tables?: ArrayBuffer}} [options]
   */
  constructor(module, row, { megabytes = 16, weights, tables } = {}) {
    this.row = row;
    this.kernel = new Kernel(module, row.numbers);
    if (weights?.byteLength) this.kernel.put(new Uint8Array(weights));
    this.kernel.exports.make_engine(megabytes, weights?.byteLength ?? 0);
    this.hasTables = Boolean(tables?.byteLength) && this.#open(/** @type {ArrayBuffer} */ (tables));
  }

  /** @param {ArrayBuffer} file */
  #open(file) {
    const view = new DataView(file);
    for (let at = 0; at < file.byteLength; ) {
      const name = view.getUint32(at, true);
      const size = view.getUint32(at + 4, true);
      this.kernel.put(new Uint8Array(file, at + 8, name + size));
      this.kernel.exports.add_table(name, size);
      at += 8 + name + size;
    }
    return this.kernel.exports.open_tables() > 0;
  }

  /**
   * Searches the last of the positions; those before it count for repetition.
   * @param {readonly Uint8Array[]} positions
   * @param {Limits} [limits]
   * @param {(report: Report) => void} [onReport]  called with each report that is better than the last
   * @returns {Report}
   */
  search(positions, limits = {}, onReport = () => undefined) {
    const { depth, nodes, seconds = depth || nodes ? 0 : 1, lines = 1, tables = true } = limits;
    const { kernel } = this;
    const position = positions[positions.length - 1];
    const pieces = position.subarray(5).filter(Boolean).length;
    const probes = this.hasTables && tables && pieces <= MAX_PIECES_WITH_TABLES;
    const verdict = probes ? this.#verdict(position) : null;
    /** @type {Report} */
    let last = { depth: 0, reached: 0, nodes: 0, milliseconds: 0, lines: [], verdict };
    kernel.onReport = (numbers) => onReport((last = { ...read(numbers), verdict }));
    kernel.put(...positions);
    const deep = Math.min(depth ?? MAX_DEPTH, MAX_DEPTH);
    kernel.exports.search(
      positions.length, deep, nodes ?? 0, seconds, 0, lines, this.row.drawnAfter, probes ? 1 : 0,
    );
    return last;
  }

  /** Clears the transposition table. */
  forget() {
    this.kernel.exports.clear_engine();
  }

  /**
   * @param {Uint8Array} position
   * @returns {Report["verdict"]}
   */
  #verdict(position) {
    this.kernel.put(position);
    const known = this.kernel.exports.probe();
    return known < 0 ? null : VERDICTS[known & 3];
  }
}

/**
 * A report as `native/wasm/engine.cpp` writes it.
 * @param {Int32Array} numbers
 * @returns {Omit<Report, "verdict">}
 */
function read(numbers) {
  let at = 0;
  const next = () => numbers[at++];
  const [depth, reached, low, high, milliseconds] = [next(), next(), next(), next(), next()];
  const lines = Array.from({ length: next() }, () => {
    const score = next();
    next(); // whether it was not searched
    const moves = Array.from({ length: next() }, () => {
      const [origin, target, crowns, taken] = [next(), next(), next(), next()];
      at += taken;
      return { origin, target, crowns: crowns === 1, captures: [...numbers.subarray(at - taken, at)] };
    });
    return { score, moves };
  });
  return { depth, reached, nodes: (high >>> 0) * 2 ** 32 + (low >>> 0), milliseconds, lines };
}
