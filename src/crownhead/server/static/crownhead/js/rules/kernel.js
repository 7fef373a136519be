// The kernel as WebAssembly: loading it, and its plain functions. An instance plays one variant.
// @ts-check

/**
 * What the module exports; `native/wasm` tells what each does.
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {() => void} _initialize
 * @property {(size: number) => number} buffer
 * @property {(count: number) => void} set_variant
 * @property {() => number} squares
 * @property {() => void} start
 * @property {() => number} legal_moves
 * @property {(squares: number) => number} find
 * @property {() => number} play
 * @property {() => number} ending
 * @property {(depth: number, bulk: number) => number} perft
 * @property {(plies: number) => number} count_draws
 * @property {(megabytes: number, size: number) => void} make_engine
 * @property {() => void} clear_engine
 * @property {(name: number, size: number) => void} add_table
 * @property {() => number} open_tables
 * @property {() => number} probe
 * @property {(positions: number, depth: number, nodes: number, seconds: number, softSeconds: number,
 *   lines: number, drawnAfter: number, withTables: number) => void} search
 */

/** @typedef {(numbers: Int32Array) => void} ReportListener */

/** A function that makes a vector: only where there are vector instructions it is valid. */
const MAKES_VECTOR = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
const HAS_VECTORS = globalThis.WebAssembly?.validate(new Uint8Array(MAKES_VECTOR)) ?? false;
const BY_VECTORS = new URL("../../wasm/crownhead.wasm", import.meta.url);

/** The module for browsers without vector instructions: it plays the same, at two thirds of the speed. */
export const PLAIN_URL = new URL("../../wasm/crownhead_plain.wasm", import.meta.url);
/** Where the module for this browser is: beside this file, under the name that the server gives it. */
export const MODULE_URL = HAS_VECTORS ? BY_VECTORS : PLAIN_URL;

/** What cannot be played, or was not understood; the instance it came from is of no more use. */
export class RulesError extends Error {}

/** @type {Promise<WebAssembly.Module> | undefined} */
let loading;

/**
 * The compiled module: fetched once, however often it is asked for.
 * @param {URL | string} [url]
 * @returns {Promise<WebAssembly.Module>}
 */
export function loadModule(url = MODULE_URL) {
  loading ??= WebAssembly.compileStreaming(fetch(url)).catch((error) => {
    loading = undefined; // the next call tries again
    throw error;
  });
  return loading;
}

/** An instance of the module. */
export class Kernel {
  /** @type {ReportListener} */
  onReport = () => undefined;
  /** Whether a search goes on. @type {() => boolean} */
  goesOn = () => true;

  /**
   * @param {WebAssembly.Module} module
   * @param {readonly number[]} numbers  of a variant's row
   */
  constructor(module, numbers) {
    const instance = new WebAssembly.Instance(module, {
      crownhead: {
        report: (/** @type {number} */ at, /** @type {number} */ count) =>
          this.onReport(new Int32Array(this.exports.memory.buffer, at, count).slice()),
        goes_on: () => (this.goesOn() ? 1 : 0),
        fail: (/** @type {number} */ at, /** @type {number} */ size) => {
          throw new RulesError(new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, at, size)));
        },
      },
      // All that the C library asks of a system is the time; it writes where it gives up.
      wasi_snapshot_preview1: {
        clock_time_get: (/** @type {number} */ _clock, /** @type {bigint} */ _precision, /** @type {number} */ at) => {
          const nanoseconds = BigInt(Math.round(performance.now() * 1e6));
          new DataView(this.exports.memory.buffer).setBigUint64(at, nanoseconds, true);
          return 0;
        },
        fd_close: () => 0,
        fd_seek: () => 0,
        fd_write: () => 0,
      },
    });
    this.exports = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
    this.exports._initialize();
    const words = Int32Array.from(numbers);
    this.put(new Uint8Array(words.buffer));
    this.exports.set_variant(words.length);
    this.squares = this.exports.squares();
    this.size = 5 + this.squares; // of a position, in bytes
  }

  /**
   * The buffer, of at least so many bytes; valid until the next call of the module.
   * @param {number} size
   */
  buffer(size) {
    const at = this.exports.buffer(size);
    return new Uint8Array(this.exports.memory.buffer, at, size);
  }

  /**
   * Writes bytes one behind the other into the buffer.
   * @param {...ArrayLike<number>} parts
   */
  put(...parts) {
    const into = this.buffer(parts.reduce((size, part) => size + part.length, 0));
    let at = 0;
    for (const part of parts) {
      into.set(part, at);
      at += part.length;
    }
  }

  /**
   * A copy of the beginning of the buffer.
   * @param {number} size
   */
  take(size) {
    return this.buffer(size).slice();
  }
}
