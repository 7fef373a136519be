// Answers a question about the board's modules: its name is the argument, its JSON the standard input; prints JSON.
// @ts-check

import { parseRecord } from "../../src/crownhead/server/static/crownhead/js/board/data.js";
import { toFen } from "../../src/crownhead/server/static/crownhead/js/board/fen.js";
import { afterTouch, completed, matchTyped, targets } from "../../src/crownhead/server/static/crownhead/js/board/moves.js";
import { parsePieces, replay } from "../../src/crownhead/server/static/crownhead/js/board/position.js";
import { squareRenamer } from "../../src/crownhead/server/static/crownhead/js/board/square_names.js";
import { fenAt, sentenceAt } from "../../src/crownhead/server/static/crownhead/js/board/told.js";

/** @typedef {import("../../src/crownhead/server/static/crownhead/js/board/moves.js").Move} Move */
/** @typedef {import("../../src/crownhead/server/static/crownhead/js/board/geometry.js").Square} Square */
/** @typedef {import("../../src/crownhead/server/static/crownhead/js/board/fen.js").Runs} Runs */
/** @typedef {import("../../src/crownhead/server/static/crownhead/js/board/data.js").BoardData} BoardData */
/** @typedef {{turn: "black" | "white", pieces: Record<string, string>, names: Record<number, string>, runs: Runs}} Position */

const ANSWERS = {
  /** Where each path leads. @param {{moves: Move[], path: number[]}[]} questions */
  targets: (questions) => questions.map(({ moves, path }) => Object.fromEntries(targets(moves, path))),

  /**
   * What each way of entering a capture of several pieces fails on, of all the moves that can be entered so.
   * @param {{moves: Move[], squares: Square[]}[]} boards
   */
  entered: (boards) =>
    Object.fromEntries(
      Object.entries(WAYS).map(([way, enter]) => {
        const results = boards.flatMap(({ moves, squares }) =>
          moves
            .filter((move) => move.path.length > 2)
            .map((move) => ({ moves, move, path: enter(moves, move, squares) }))
            .filter(({ path }) => path !== undefined),
        );
        const failed = results.filter(({ moves, move, path }) => path && completed(moves, path)?.notation !== move.notation);
        return [way, { tried: results.length, failed: failed.map(({ move, path }) => [move.path, path]) }];
      }),
    ),

  /** @param {{moves: Move[], squares: Square[], texts: string[]}} question */
  typed: ({ moves, squares, texts }) => texts.map((text) => matchTyped(moves, text, squares)),

  /** @param {Position[]} positions */
  fens: (positions) => positions.map(({ turn, pieces, names, runs }) => toFen(turn, parsePieces(pieces), (square) => names[square], runs)),

  /** What a board says of the moves and the positions of a game. @param {(Omit<BoardData, "record"> & {record: string})[]} games */
  told: (games) =>
    games.map((page) => {
      const data = { ...page, record: parseRecord(page.record) };
      const positions = replay(parsePieces(data.start), data.record.map((move) => ({ ...move, notation: "" })));
      const squares = data.squares.map(([number, name, row, column, algebraic]) => ({ number, name, row, column, algebraic }));
      const line = { data, positions, squares, words: data.words };
      return { sentences: data.record.map((_, at) => sentenceAt(line, at + 1)), fens: positions.map((_, ply) => fenAt(line, ply)) };
    }),

  /** @param {{texts: string[], squares: Square[], names: string}} question */
  renamed: ({ texts, squares, names }) => texts.map(squareRenamer(squares, names)),
};

/** @typedef {(moves: Move[], move: Move, squares: Square[]) => number[] | undefined} Way  undefined: not for this move */

/** Ways of entering a capture of several pieces. @type {Record<string, Way>} */
const WAYS = {
  // A click on every square of the path, whether the piece has gone there by itself meanwhile or not.
  "every square": (moves, move) => clicked(moves, move.path),
  // Like that, and once more on the last square: a double click, or a confirmation.
  "every square, the last one twice": (moves, move) => clicked(moves, [...move.path, move.path[move.path.length - 1]]),
  // Only the squares that are not reached by themselves.
  "where there is a choice": (moves, move) => {
    /** @type {number[]} */
    let path = [];
    while (path.length < move.path.length) {
      const next = afterTouch(moves, path, move.path[path.length]);
      if (next.length <= path.length) return next;
      path = next;
    }
    return path;
  },
  // Origin and last square, where no other move goes there and the piece does not come back.
  "the last square": (moves, { path }) => {
    const [origin, end] = [path[0], path[path.length - 1]];
    const alike = moves.filter((other) => other.path[0] === origin && other.path.includes(end));
    return new Set(alike.map(({ notation }) => notation)).size === 1 && origin !== end ? clicked(moves, [origin, end]) : undefined;
  },
  // The piece is dragged over the board: every drop is on one of the squares offered.
  "dragging": (moves, move) => {
    let path = afterTouch(moves, [], move.path[0]);
    while (path.length < move.path.length) {
      const next = targets(moves, path).get(move.path[path.length]);
      if (!next) return path;
      path = next;
    }
    return path;
  },
  "typed as it is written": (moves, move, squares) => matchTyped(moves, move.notation, squares),
  "typed in full": (moves, move, squares) => {
    const names = new Map(squares.map(({ number, name }) => [number, name]));
    return matchTyped(moves, move.path.map((square) => names.get(square)).join(" x "), squares);
  },
};

/** @param {Move[]} moves @param {readonly number[]} squares */
function clicked(moves, squares) {
  return squares.reduce((path, square) => afterTouch(moves, path, square), /** @type {number[]} */ ([]));
}

const [name] = Deno.args;
const answer = ANSWERS[/** @type {keyof typeof ANSWERS} */ (name)];
const question = await new Response(Deno.stdin.readable).json();
await new Response(JSON.stringify(answer(question))).body?.pipeTo(Deno.stdout.writable);
