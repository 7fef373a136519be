// What a score of the engine means: in words, and as a share of the evaluation bar.
// @ts-check

import { phrase } from "../board/labels.js";

/** @typedef {import("../rules/rules.js").Colour} Colour */
/** @typedef {"win" | "draw" | "loss"} Verdict */

const FORCED = 29_500; // beyond it a win or a loss: 30,000 less the plies
const SURE = 20_000; // beyond it no measure of pieces: a result of the tables
const END = 30_000;
const STEEPNESS = 57; // hundredths of a man for a step of e in the odds, as `judgement.py` has it
const EDGE = 0.02; // of the bar, kept by a side that has not lost yet

/** @param {Colour} colour @returns {Colour} */
export function other(colour) {
  return colour === "white" ? "black" : "white";
}

/**
 * Who stands better and by how much, or who wins in how many moves.
 * @param {number} score  for the side to move
 * @param {Colour} turn
 * @param {Readonly<Record<string, string>>} texts
 * @param {Verdict | null} [verdict]  of the endgame tables
 * @returns {string}
 */
export function worth(score, turn, texts, verdict = null) {
  const leader = phrase(texts, score > 0 ? turn : other(turn));
  const size = Math.abs(score);
  if (size >= FORCED) {
    const count = Math.ceil((END - size) / 2);
    return phrase(texts, count ? "wins-in" : "has-won", { side: leader, count: String(count) });
  }
  if (verdict === "draw") return phrase(texts, "drawn");
  if (verdict || size > SURE) return phrase(texts, "wins", { side: verdict ? phrase(texts, verdict === "win" ? turn : other(turn)) : leader });
  return score ? `${leader} +${(size / 100).toFixed(2)}` : phrase(texts, "equal");
}

/**
 * A score in few characters, from White's side: `+0.45`, `#-5`.
 * @param {number} score
 * @param {Colour} turn
 * @param {Verdict | null} [verdict]
 */
export function shortWorth(score, turn, verdict = null) {
  const mine = turn === "white" ? score : -score;
  const sign = mine < 0 ? "−" : "+";
  if (Math.abs(mine) >= FORCED) return `#${mine < 0 ? "−" : ""}${Math.ceil((END - Math.abs(mine)) / 2)}`;
  if (verdict === "draw" || !mine) return "0.0";
  if (verdict || Math.abs(mine) > SURE) return `${sign}∞`;
  const size = (Math.abs(mine) / 100).toFixed(1);
  return size === "0.0" ? size : `${sign}${size}`;
}

/**
 * The result to be expected for the side to move, from 0 to 1, as `judgement.py` has it.
 * @param {number} score
 */
export function expectedResult(score) {
  if (Math.abs(score) >= FORCED) return score > 0 ? 1 : 0;
  return curve(score);
}

/** @param {number} score */
const curve = (score) => 1 / (1 + Math.exp(-score / STEEPNESS));

/**
 * White's share of the evaluation bar, from 0 to 1: the result to be expected.
 * @param {number} score  for the side to move
 * @param {Colour} turn
 * @param {Verdict | null} [verdict]
 */
export function whiteShare(score, turn, verdict = null) {
  const mine = verdict === "draw" ? 0 : verdict === "win" ? END : verdict === "loss" ? -END : score;
  const white = turn === "white" ? mine : -mine;
  if (Math.abs(white) > SURE) return white > 0 ? 1 : 0;
  return EDGE + (1 - 2 * EDGE) * curve(white);
}
