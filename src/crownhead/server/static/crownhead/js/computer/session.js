// A game against the computer that the browser plays by itself.
// @ts-check

import { NOTHING, boardMoves, recordedMove } from "../board_moves.js";
import { Engine } from "../rules/engine.js";
import { Game } from "../rules/game.js";
import { chooseMove } from "../rules/levels.js";
import { writeFull } from "../rules/notation.js";
import { Rules } from "../rules/rules.js";

/** @typedef {import("../rules/rules.js").Move} Move */
/** @typedef {import("./kept.js").KeptGame} KeptGame */

/**
 * What the page hands to its script, see `presenters/computer_board.py`.
 * @typedef {object} Known
 * @property {string} variant
 * @property {number} level
 * @property {string} colour  the visitor's side: first or second
 * @property {"black" | "white"} mine  the same
 * @property {string} fen
 * @property {string} rules  the address of the variant's row
 * @property {string} weights
 * @property {string} guard  where it is asked whether the computer may reply; empty for people who play no games
 * @property {boolean} startsLate
 * @property {import("../board_moves.js").Laws["crowning"]} crowning
 * @property {number} kingRun
 * @property {Readonly<Record<string, string>>} texts
 */

/** What a page fetches beside this script. @typedef {{row: Promise<import("../rules/rules.js").Row>, engine: Promise<Engine>}} Parts */

/** The game, its rules and its engine. It shows nothing. */
export class Session {
  /** @type {Promise<Engine> | undefined} */
  #engine;
  /** Why the game was drawn on demand. */
  claimed = "";

  /**
   * `load` is for pages.
   * @param {Rules} rules
   * @param {Known} known
   */
  constructor(rules, known) {
    this.rules = rules;
    this.known = known;
    this.game = new Game(known.fen ? rules.position(known.fen) : rules.start());
  }

  /** @param {Known} known @param {Parts} parts */
  static async load(known, { row, engine }) {
    const session = new Session(await Rules.load(await row), known);
    session.#keep(engine);
    return session;
  }

  /** The engine, which is fetched once. */
  engine() {
    return this.#engine ?? this.#keep(Engine.load(this.rules.row, { weights: this.known.weights }));
  }

  /** A level that searches asks again where it could not be fetched. @param {Promise<Engine>} engine */
  #keep(engine) {
    this.#engine = engine;
    engine.catch(() => (this.#engine = undefined));
    return engine;
  }

  /** Whether the visitor is to move. */
  get isMine() {
    return this.game.position.turn === this.known.mine;
  }

  /** How the game ended, if it has. */
  get outcome() {
    return this.claimed ? { winner: null, termination: this.claimed } : this.game.outcome();
  }

  /** The draws that the visitor may claim now. */
  get claimable() {
    return this.isMine && !this.claimed ? this.game.claimableDraws() : [];
  }

  /** The sentence on how the game ended. */
  get result() {
    const { outcome, known: { texts, mine } } = this;
    if (!outcome) return "";
    const word = outcome.winner === null ? "drawn" : outcome.winner === mine ? "won" : "lost";
    return texts[`${word}:${outcome.termination}`] ?? texts.claimed;
  }

  /** The moves with every square of their paths. */
  get moves() {
    return this.game.moves.map((move) => writeFull(move, this.rules.row));
  }

  /** The moves as players write them. */
  get notations() {
    return this.game.moves.map((move, at) => this.game.positions[at].notation(move));
  }

  /** What the visitor may play now. */
  get playable() {
    return this.isMine && !this.outcome ? boardMoves(this.game.position, this.known) : NOTHING;
  }

  /**
   * The game as a board shows it.
   * @param {Readonly<Record<string, string>>} words
   */
  shown(words) {
    const { moves, positions } = this.game;
    const record = moves.map((_move, at) => this.#recorded(at, words));
    return { record, fens: positions.map((position) => position.fen()), ...this.playable };
  }

  /**
   * The last move as board and list show it.
   * @param {Readonly<Record<string, string>>} words
   */
  latest(words) {
    const { moves, position, positions } = this.game;
    const at = moves.length - 1;
    return { ply: at + 1, move: this.#recorded(at, words), notation: positions[at].notation(moves[at]), fen: position.fen() };
  }

  /** Take up a kept game. Throws where it does not fit the rules any more. @param {KeptGame} kept */
  take({ moves, level, claimed = "" }) {
    for (const move of moves) this.game.push(move);
    this.known.level = level;
    this.claimed = claimed;
  }

  /** Take moves back until the visitor is to move again. */
  takeBack() {
    this.claimed = "";
    do this.game.pop();
    while (this.game.moves.length && !this.isMine);
  }

  startOver() {
    this.claimed = "";
    while (this.game.pop());
  }

  /** @param {number} at  plies before the move @param {Readonly<Record<string, string>>} words */
  #recorded(at, words) {
    const { game: { moves, positions }, known } = this;
    return recordedMove(positions[at], moves[at], known, { texts: known.texts, words });
  }

  /** The move that the computer's level chooses. @param {AbortSignal} signal @returns {Promise<Move>} */
  reply(signal) {
    const { game, known } = this;
    return chooseMove(game, known.level, async (limits, fresh) => {
      const engine = await this.engine();
      return engine.analyse(game, limits, { signal, fresh });
    });
  }
}
