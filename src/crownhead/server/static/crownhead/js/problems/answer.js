// The best answer to a wrong move, by the browser's engine; it is fetched when the first one is needed.
// @ts-check

import { phrase } from "../board/labels.js";
import { moveAlong, recordedMove } from "../board_moves.js";
import { askGuard } from "../guard.js";
import { Engine } from "../rules/engine.js";
import { moveOf } from "../rules/levels.js";
import { Rules } from "../rules/rules.js";

/** @typedef {import("../rules/rules.js").Position} Position */
/** @typedef {Readonly<Record<string, string>>} Words */

/**
 * What a page says of the variant and the engine, see `problems/presenters.py`. `guard`: where it is asked whether the
 * engine may look; empty for people who play no games.
 * @typedef {import("../board_moves.js").Laws & {variant: string, rules: string, weights: string, guard: string, texts: Words}} Terms
 */

/**
 * An answer as the board has it, and as sentences do.
 * @typedef {{made: import("../board/data.js").RecordedMove, fen: string, side: string, move: string}} Answer
 */

const LIMITS = { nodes: 300_000, seconds: 1 };
const MEGABYTES = 8; // of the transposition table

/** Why there is no answer: the reader plays such a position in a running game. */
export class Refused extends Error {}

/** Answers in one variant, to one move after the other. */
export class Answers {
  /** @type {Promise<Engine> | undefined} */
  #engine;

  /**
   * `load` is for pages without rules.
   * @param {Rules} rules
   * @param {Terms} terms
   * @param {Words} words  of the board
   */
  constructor(rules, terms, words) {
    this.rules = rules;
    this.terms = terms;
    this.words = words;
  }

  /** @param {Terms} terms @param {Words} words */
  static async load(terms, words) {
    return new Answers(await Rules.fetch(terms.rules), terms, words);
  }

  /**
   * The best answer to a move; none where it ends the game. Rejects with the reason of the signal, with `Refused`, and
   * where the engine cannot be fetched.
   * @param {Position} before
   * @param {{path: readonly number[], captures: readonly number[]}} move  a legal one
   * @param {AbortSignal} signal
   * @returns {Promise<Answer | undefined>}
   */
  async to(before, { path, captures }, signal) {
    const move = moveAlong(before, path, captures);
    if (!move) throw new RangeError(`expected a legal move, got ${path.join("-")}`);
    const after = before.play(move);
    const best = await this.#best(after, signal);
    if (!best) return undefined;
    const { terms, words } = this;
    const made = recordedMove(after, best, terms, { texts: terms.texts, words });
    return { made, fen: after.play(best).fen(), side: phrase(words, after.turn), move: after.notation(best) };
  }

  /** @param {Position} position @param {AbortSignal} signal */
  async #best(position, signal) {
    const legal = position.outcome() ? [] : position.legalMoves();
    if (legal.length < 2) return legal[0];
    const [engine] = await Promise.all([this.#load(), this.#expectAllowed(position)]);
    signal.throwIfAborted();
    return moveOf(position, await engine.analyse(position, LIMITS, { signal, fresh: true }), 0);
  }

  #load() {
    const { weights } = this.terms;
    this.#engine ??= Engine.load(this.rules.row, { weights, megabytes: MEGABYTES });
    this.#engine.catch(() => (this.#engine = undefined)); // the next question tries again
    return this.#engine;
  }

  /** @param {Position} position */
  async #expectAllowed(position) {
    const { guard, variant } = this.terms;
    if (!guard) return;
    const answer = await askGuard(guard, { variant, fen: position.fen() }).catch(() => undefined);
    const { refused = "" } = answer?.ok ? await answer.json() : {}; // without a connection one goes on
    if (refused) throw new Refused(refused);
  }
}
