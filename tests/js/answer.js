// Answers a question about the board's modules: its name is the argument, its JSON the standard input; prints JSON.
// @ts-check

import { toFen } from "../../src/crownhead/server/static/crownhead/js/board/fen.js";
import { afterTouch, completed, matchTyped, targets } from "../../src/crownhead/server/static/crownhead/js/board/moves.js";
import { parsePieces } from "../../src/crownhead/server/static/crownhead/js/board/position.js";
import { squareRenamer } from "../../src/crownhead/server/static/crownhead/js/board/square_names.js";

/** @typedef {import("../../src/crownhead/server/static/crownhead/js/board/moves.js").Move} Move */
/** @typedef {import("../../src/crownhead/server/static/crownhead/js/board/geometry.js").Square} Square */
/** @typedef {import("../../src/crownhead/server/static/crownhead/js/board/fen.js").Runs} Runs */
/** @typedef {{turn: "black" | "white", pieces: Record<string, string>, names: Record<number, string>, runs: Runs}} Position */

const ANSWERS = {
  /** Where each path leads. @param {{moves: Move[], path: number[]}[]} questions */
  targets: (questions) => questions.map(({ moves, path }) => Object.fromEntries(targets(moves, path))),

  /** The moves that cannot be selected square by square. @param {Move[][]} boards */
  unreachable: (boards) => boards.flatMap((moves) => moves.filter((move) => !canBeSelected(moves, move))),

  /** @param {{moves: Move[], squares: Square[], texts: string[]}} question */
  typed: ({ moves, squares, texts }) => texts.map((text) => matchTyped(moves, text, squares)),

  /** @param {Position[]} positions */
  fens: (positions) => positions.map(({ turn, pieces, names, runs }) => toFen(turn, parsePieces(pieces), (square) => names[square], runs)),

  /** @param {{texts: string[], squares: Square[], names: string}} question */
  renamed: ({ texts, squares, names }) => texts.map(squareRenamer(squares, names)),
};

/** @param {Move[]} moves @param {Move} move */
function canBeSelected(moves, move) {
  /** @type {number[]} */
  let path = [];
  while (path.length < move.path.length) {
    path = afterTouch(moves, path, move.path[path.length]);
    if (!path.length) return false;
  }
  return completed(moves, path)?.notation === move.notation;
}

const [name] = Deno.args;
const answer = ANSWERS[/** @type {keyof typeof ANSWERS} */ (name)];
const question = await new Response(Deno.stdin.readable).json();
await new Response(JSON.stringify(answer(question))).body?.pipeTo(Deno.stdout.writable);
