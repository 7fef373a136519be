// A review that is made here: each position of the game searched in turn, as `reviews/steps.py` does it for the club.
// @ts-check

import { readLines } from "../analysis/lines.js";
import { isSame } from "../board_routes.js";
import { courseUpTo, replayRecord } from "./replay.js";

/** @typedef {import("../rules/engine.js").Engine} Engine */
/** @typedef {import("../rules/rules.js").Position} Position */

/**
 * What the page says of it, see `presenters/review/data.py`. `end`: what the last position is worth to the side to move,
 * where the game was over there; `countedOut`: a counter of moves has ended it.
 * @typedef {{module: string, api: string, nodes: Record<string, number>, longest: number, barred: number[],
 *   end: number | null, countedOut: boolean}} Making
 */

/**
 * What is known of a position.
 * @typedef {{score: number, moves: string[], path: readonly number[], proven: boolean, best: boolean}} Ply
 */

const FORCED = 29_500; // beyond it a win or a loss that a draw rule may forestall

/** What a search found a position worth, for the side to move. @param {import("../rules/searching.js").Report} report */
export const scoreOf = ({ lines: [best] }) => best?.score ?? 0;

/**
 * Search all positions; `onProgress` is called with each that is done. Rejects with the reason of the signal.
 * @param {Engine} engine
 * @param {Position} start
 * @param {readonly {path: readonly number[], captures: readonly number[]}[]} record
 * @param {Pick<Making, "longest" | "barred" | "end" | "countedOut">} terms
 * @param {{nodes: number, signal: AbortSignal, onProgress: (done: number, total: number) => void}} how
 * @returns {Promise<Ply[]>}
 */
export function makeReview(engine, start, record, terms, { nodes, signal, onProgress }) {
  const { positions, moves } = replayRecord(start, record);
  /** @type {Ply[]} */
  const plies = [];
  return goOn();

  /** One search at a time: the engine has one thread. @returns {Promise<Ply[]>} */
  async function goOn() {
    signal.throwIfAborted();
    plies.push(await look(plies.length, positions[plies.length]));
    onProgress(plies.length, positions.length);
    return plies.length < positions.length ? goOn() : plies;
  }

  /** @param {number} ply @param {Position} position @returns {Promise<Ply>} */
  async function look(ply, position) {
    const unknown = { score: 0, moves: [], path: [], proven: true, best: false };
    const isLast = ply === moves.length;
    if (isLast && terms.end !== null) return { ...unknown, score: terms.end };
    if (terms.barred.includes(ply)) return unknown;
    const report = await engine.analyse(courseUpTo(positions, moves, ply), { nodes }, { signal });
    const [best] = readLines(position, report, terms.longest);
    const score = scoreOf(report);
    const made = moves[ply];
    const isBest = Boolean(made && best && isSame(made, best));
    return {
      score,
      moves: best?.moves ?? [],
      path: best?.path ?? [],
      proven: Math.abs(score) < FORCED || report.verdict !== null,
      best: isBest || (terms.countedOut && ply === moves.length - 1),
    };
  }
}
