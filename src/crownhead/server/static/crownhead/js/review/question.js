// A mistake as a question: a move that is tried is looked at by the engine here, unless it is the one looked for.
// @ts-check

import { phrase } from "../board/labels.js";
import { scoreOf } from "./making.js";
import { expectedResult } from "../analysis/scores.js";

/** @typedef {import("../rules/engine.js").Engine} Engine */
/** @typedef {import("../rules/rules.js").Position} Position */

/**
 * The mistake: its ply, what was played and what the engine would have, the position before it, and how much of a point a move
 * may give away that is as good.
 * @typedef {{ply: number, played: string, best: string, fen: string, most: number}} Question
 */

/**
 * What to say of a move that was tried.
 * @param {Engine} engine
 * @param {Position} position
 * @param {string} notation
 * @param {Question} question
 * @param {{nodes: number, texts: Record<string, string>}} how
 * @returns {Promise<{isGood: boolean, text: string}>}
 */
export async function judgeTry(engine, position, notation, { best, most }, { nodes, texts }) {
  const after = position.play(position.parse(notation));
  const before = expectedResult(await search(engine, position, nodes));
  const outcome = after.outcome();
  const left = outcome ? Number(outcome.winner === position.turn) : 1 - expectedResult(await search(engine, after, nodes));
  const isGood = before - left < most;
  return { isGood, text: phrase(texts, isGood ? "good" : "bad", { move: notation, best }) };
}

/** @param {Engine} engine @param {Position} position @param {number} nodes */
async function search(engine, position, nodes) {
  return scoreOf(await engine.analyse(position, { nodes }));
}
