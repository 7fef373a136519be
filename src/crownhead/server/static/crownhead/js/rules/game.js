// A game: its positions and moves, and the draw rules along it.
// @ts-check

import { reversiblePositions } from "./reversible.js";

/** @typedef {import("./rules.js").Move} Move */
/** @typedef {import("./rules.js").Outcome} Outcome */
/** @typedef {import("./rules.js").Position} Position */

const CAPTURE = 1;
const BY_MAN = 2;
const CROWNING = 4;

/** A game that goes on move by move. */
export class Game {
  /** @type {Position[]} */
  positions;
  /** @type {Move[]} */
  moves = [];
  /** What each move does, as bits. @type {number[]} */
  #done = [];

  /** @param {Position} start */
  constructor(start) {
    this.positions = [start];
  }

  get position() {
    return this.positions[this.positions.length - 1];
  }

  /**
   * Plays a legal move, given as one or as text. Throws what `Position.parse` and `Position.play` throw, and a
   * `RangeError` where the game is over.
   * @param {Move | string} move
   */
  push(move) {
    if (this.outcome()) throw new RangeError("expected a game in progress, got one that is over");
    const before = this.position;
    const chosen = typeof move === "string" ? before.parse(move) : move;
    const after = before.play(chosen);
    const byKing = before.piece(chosen.path[0])?.kind === "king";
    this.#done.push((chosen.captures.length ? CAPTURE : 0) | (byKing ? 0 : BY_MAN) | (chosen.crowns ? CROWNING : 0));
    this.moves.push(chosen);
    this.positions.push(after);
    return chosen;
  }

  /** Takes back the last move, if there is one. */
  pop() {
    this.#done.pop();
    const move = this.moves.pop();
    if (move) this.positions.pop();
    return move;
  }

  /**
   * How the game ended: by the position, or by a draw that needs no claim.
   * @returns {Outcome | null}
   */
  outcome() {
    const decided = this.position.outcome();
    if (decided) return decided;
    const [termination] = this.#draws(true);
    return termination ? { winner: null, termination } : null;
  }

  /** The draws that a player can claim now. */
  claimableDraws() {
    return this.outcome() ? [] : this.#draws(false);
  }

  /** The counts of the draw rules, in the order of the row; -1 where the pieces are not those of the rule. */
  drawCounts() {
    const { kernel } = this.position.rules;
    kernel.put(
      this.positions[0].bytes,
      ...this.#done.flatMap((done, ply) => [[done], this.positions[ply + 1].bytes]),
    );
    const count = kernel.exports.count_draws(this.moves.length);
    return [...new Int32Array(kernel.take(4 * count).buffer)];
  }

  /** The positions since the last capture or move of a man, which a search looks at for repetition. */
  reversible() {
    return reversiblePositions(this.positions, (ply) => (this.#done[ply] & (CAPTURE | BY_MAN)) !== 0);
  }

  /** @param {boolean} automatic */
  #draws(automatic) {
    const { draws } = this.position.rules.row;
    if (!draws.length) return [];
    const counts = this.drawCounts();
    const satisfied = draws.filter((rule, at) => rule.automatic === automatic && counts[at] >= rule.enough);
    return [...new Set(satisfied.map(({ termination }) => termination))];
  }
}
