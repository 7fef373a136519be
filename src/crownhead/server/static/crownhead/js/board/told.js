// What there is to say of a board's moves and positions. The page says it only where it does not follow from the moves.
// @ts-check

import { moveSentence } from "../game_texts.js";
import { toFen } from "./fen.js";
import { phrase } from "./labels.js";

/** @typedef {Pick<import("./element.js").CheckersBoard, "data" | "positions" | "squares" | "words">} Line */

/**
 * The move that led to `ply` as a sentence, with the variant's own names of squares.
 * @param {Line} line
 * @param {number} ply  from 1
 * @returns {string}
 */
export function sentenceAt(line, ply) {
  const { path, captures, kinds, sentence } = line.data.record[ply - 1];
  if (sentence !== undefined) return sentence;
  const side = phrase(line.words, line.positions[ply - 1].get(path[0])?.colour ?? "");
  const crowned = !kinds.startsWith("K") && kinds.endsWith("K");
  return moveSentence(line.words, side, { path, captures, crowned }, ownNames(line));
}

/**
 * The position after `ply` moves as FEN; without the runs of kings, which the page says where the laws count them.
 * @param {Line} line
 * @param {number} ply
 * @returns {string}
 */
export function fenAt(line, ply) {
  return line.data.fens[ply] || toFen(turnAt(line, ply), line.positions[ply], ownNames(line));
}

/** @param {Line} line @param {number} ply @returns {"black" | "white"} */
function turnAt({ data, positions }, ply) {
  const mover = (/** @type {number} */ at) => positions[at]?.get(data.record[at]?.path[0] ?? 0)?.colour;
  const before = mover(ply - 1);
  return mover(ply) ?? (before === "white" ? "black" : before && "white") ?? data.turn;
}

/** @param {Line} line @returns {(square: number) => string} */
function ownNames({ squares }) {
  const names = new Map(squares.map(({ number, name }) => [number, name]));
  return (square) => names.get(square) ?? String(square);
}
