// The laws of a variant: positions, legal moves, playing them, how a position ends a game.
// @ts-check

import { Kernel, loadModule } from "./kernel.js";
import { readFen, writeFen } from "./fen.js";
import { parseMove, writeMoves } from "./notation.js";

/** @typedef {"black" | "white"} Colour */
/** @typedef {"man" | "king" | "mule" | "parachutist"} Kind */
/** @typedef {{colour: Colour, kind: Kind}} Piece */
/** @typedef {{winner: Colour | null, termination: string}} Outcome */

/**
 * A variant as the server describes it: `crownhead.engine.browser`.
 * @typedef {object} Row
 * @property {string} key
 * @property {string} name
 * @property {number[]} numbers
 * @property {string[]} squares
 * @property {string[]} algebraic
 * @property {string} captureSign
 * @property {"mule" | "parachutist" | null} marked
 * @property {boolean} jumpsOnly
 * @property {boolean} stuckWins
 * @property {boolean} countsRuns
 * @property {{termination: string, automatic: boolean, enough: number}[]} draws
 * @property {number} drawnAfter
 * @property {{at: number, components: string[]}} priority  of captures, and where it stands among the numbers
 * @property {{far: boolean, takenStay: boolean}} [jumps]  whether kings may land beyond the next square, and pieces taken stay so long
 */

/**
 * A move: the squares that it goes over, and those of the pieces taken, in that order.
 * @typedef {object} Move
 * @property {number[]} path
 * @property {number[]} captures
 * @property {boolean} crowns
 */

/** Why a position ends a game, in the kernel's order. */
const CAUSES = ["", "no-pieces", "no-moves", "mules-lost", "men-lost", "mule-crowned", "first-king"];

export class TooManyCaptures extends Error {}

/** A variant that can be played. */
export class Rules {
  /** By how many components of the sort key of captures count. @type {Map<number, Rules>} */
  #wider = new Map();

  /**
   * @param {WebAssembly.Module} module
   * @param {Row} row
   */
  constructor(module, row) {
    this.row = row;
    this.module = module;
    this.kernel = new Kernel(module, row.numbers);
  }

  /**
   * Loads the module if need be. Rejects with a `RulesError` where the rules cannot be played.
   * @param {Row} row
   */
  static async load(row) {
    return new Rules(await loadModule(), row);
  }

  /**
   * The rules whose row is at this address. Rejects where there is none, and without WebAssembly.
   * @param {string} address
   */
  static async fetch(address) {
    const [module, answer] = await Promise.all([loadModule(), fetch(address)]);
    if (!answer.ok) throw new Error(`expected ${address}, got status ${answer.status}`);
    return new Rules(module, await answer.json());
  }

  /** The rules by the first components of the sort key of captures alone. @param {number} components */
  byPriority(components) {
    const { at, components: all } = this.row.priority;
    const numbers = [...this.row.numbers].fill(0, at + components, at + all.length);
    const found = this.#wider.get(components) ?? new Rules(this.module, { ...this.row, numbers });
    this.#wider.set(components, found);
    return found;
  }

  /** The position in which games begin. */
  start() {
    this.kernel.exports.start();
    return new Position(this, this.kernel.take(this.kernel.size));
  }

  /**
   * A position by its FEN. Throws a `SyntaxError`, or a `RulesError` where pieces stand as they cannot.
   * @param {string} fen
   */
  position(fen) {
    const position = new Position(this, readFen(fen, this.row));
    try {
      position.outcome(); // looks at it
    } catch (error) {
      this.kernel = new Kernel(this.module, this.row.numbers); // what has failed is not used again
      throw error;
    }
    return position;
  }
}

/** A position, which never changes. */
export class Position {
  /** @type {readonly Move[] | undefined} */
  #moves;
  /** @type {readonly string[] | undefined} */
  #notations;
  /** @type {Outcome | null | undefined} */
  #outcome;

  /**
   * @param {Rules} rules
   * @param {Uint8Array} bytes  as `native/wasm/module.hpp` tells
   */
  constructor(rules, bytes) {
    this.rules = rules;
    this.bytes = bytes;
  }

  /** The side to move. @returns {Colour} */
  get turn() {
    return this.bytes[0] === 0 ? "black" : "white";
  }

  /**
   * What stands on a square.
   * @param {number} square
   * @returns {Piece | undefined}
   */
  piece(square) {
    const code = this.bytes[4 + square];
    if (!code) return undefined;
    const kind = /** @type {Kind} */ (["man", "king", this.rules.row.marked][(code - 1) % 3]);
    return { colour: code > 3 ? "white" : "black", kind };
  }

  /** The pieces by square. */
  pieces() {
    /** @type {Map<number, Piece>} */
    const found = new Map();
    for (let square = 1; square <= this.rules.kernel.squares; square++) {
      const piece = this.piece(square);
      if (piece) found.set(square, piece);
    }
    return found;
  }

  /** All legal moves, ascending by path. Throws `TooManyCaptures` for a crafted board. */
  legalMoves() {
    if (!this.#moves) {
      this.rules.kernel.put(this.bytes);
      this.#moves = this.#read(this.rules.kernel.exports.legal_moves());
    }
    return this.#moves;
  }

  /** The same position, where only the first components of the sort key of captures count. @param {number} components */
  byPriority(components) {
    return new Position(this.rules.byPriority(components), this.bytes);
  }

  /**
   * The legal moves from the first square to the last that can go over those between.
   * @param {readonly number[]} squares
   */
  find(squares) {
    this.rules.kernel.put(this.bytes, squares);
    return this.#read(this.rules.kernel.exports.find(squares.length));
  }

  /**
   * The position after a legal move. Throws a `RangeError` for another.
   * @param {Move} move
   */
  play(move) {
    const { path, captures, crowns } = move;
    const { kernel } = this.rules;
    kernel.put(this.bytes, [path[0], path[path.length - 1], crowns ? 1 : 0, captures.length], captures);
    const played = kernel.exports.play();
    if (played < 0) throw new TooManyCaptures();
    if (played === 0) throw new RangeError(`expected a legal move of this position, got ${path.join("-")}`);
    return new Position(this.rules, kernel.take(kernel.size));
  }

  /**
   * How the position ends the game, if it does; draws are counted by a `Game`.
   * @returns {Outcome | null}
   */
  outcome() {
    if (this.#outcome === undefined) {
      this.rules.kernel.put(this.bytes);
      const ending = this.rules.kernel.exports.ending();
      this.#outcome = ending ? { winner: ending & 8 ? "black" : "white", termination: CAUSES[ending & 7] } : null;
    }
    return this.#outcome;
  }

  /**
   * The number of sequences of so many moves.
   * @param {number} depth
   * @param {boolean} [bulk]  whether the last moves are counted without making them
   */
  perft(depth, bulk = true) {
    this.rules.kernel.put(this.bytes);
    const count = this.rules.kernel.exports.perft(depth, bulk ? 1 : 0);
    if (count < 0) throw new TooManyCaptures();
    return count;
  }

  /** The notation of each legal move, in their order. */
  notations() {
    this.#notations ??= writeMoves(this.legalMoves(), this.rules.row);
    return this.#notations;
  }

  /**
   * The notation of a legal move. Throws a `RangeError` for another.
   * @param {Move} move
   */
  notation({ path, captures }) {
    const isSame = (/** @type {Move} */ legal) => legal.path.join() === path.join() && legal.captures.join() === captures.join();
    const at = this.legalMoves().findIndex(isSame);
    if (at < 0) throw new RangeError(`expected a legal move, got ${path.join("-")}`);
    return this.notations()[at];
  }

  /**
   * The legal move that a text such as `22x8`, `22-18` or `c3:e5` means. Throws a `SyntaxError` where it is none,
   * a `RangeError` where it is illegal or ambiguous.
   * @param {string} text
   */
  parse(text) {
    return parseMove(this, text);
  }

  fen() {
    return writeFen(this);
  }

  /**
   * @param {number} size
   * @returns {Move[]}
   */
  #read(size) {
    if (size < 0) throw new TooManyCaptures();
    const bytes = this.rules.kernel.take(size);
    const moves = [];
    for (let at = 0; at < size; ) {
      const [, , crowns, taken, length] = bytes.subarray(at, at + 5);
      const captures = [...bytes.subarray(at + 5, at + 5 + taken)];
      at += 5 + taken + length;
      moves.push({ path: [...bytes.subarray(at - length, at)], captures, crowns: crowns === 1 });
    }
    return moves;
  }
}
