// What a board says that asks the laws, beyond the list of legal moves: it is fetched when somebody tries what is not
// legal, or chooses the first premove.
// @ts-check

import { phrase } from "./board/labels.js";
import { targets } from "./board/moves.js";
import { fenAt } from "./board/told.js";
import { boardMoves } from "./board_moves.js";
import { whyNot } from "./rules/reasons.js";
import { Rules } from "./rules/rules.js";

/** @typedef {import("./board/element.js").CheckersBoard} CheckersBoard */

const ANY = { crowning: {}, kingRun: 0 }; // where pieces go does not depend on what they are meanwhile

/** @type {Map<string, Promise<Rules>>} */
const fetched = new Map();

/** @param {string} address */
function rulesAt(address) {
  const rules = fetched.get(address) ?? Rules.fetch(address);
  rules.catch(() => fetched.delete(address)); // tried again when it is asked next
  fetched.set(address, rules);
  return rules;
}

/**
 * The position on the board, and the words of the laws; nothing where the board goes on before the laws are here.
 * @param {CheckersBoard} board
 * @param {string} shown
 */
async function asked(board, shown) {
  if (!board.data.laws) return undefined;
  const [, address, words] = board.data.laws;
  const rules = await rulesAt(address);
  return board.shown === shown ? { rules, words, fen: fenAt(board, board.ply) } : undefined;
}

/**
 * Say what the laws say of a try, or of the beginning of a premove.
 * @param {CheckersBoard} board
 * @param {readonly number[]} path
 * @param {string} shown  what the board showed then, before this module was fetched
 */
export function say(board, path, shown) {
  return board.premove.length ? showReach(board, path, shown) : nameLaw(board, path, shown);
}

/**
 * Say which law forbids a capture, where it is forbidden because another one is compulsory.
 * @param {CheckersBoard} board
 * @param {readonly number[]} path
 * @param {string} shown
 */
async function nameLaw(board, path, shown) {
  const found = await asked(board, shown);
  if (!found) return;
  const { rules, words, fen } = found;
  const reason = whyNot(rules.position(fen), path);
  if (!reason?.priority) return;
  const squares = board.namesOf([...reason.squares].sort((a, b) => a - b));
  const rest = {
    jump: phrase(board.words, "must-jump", { squares }),
    elsewhere: phrase(words, "jump-to", { first: board.nameOf(path[0]), rest: squares }),
  };
  board.hint([words[reason.priority], rest[/** @type {keyof typeof rest} */ (reason.reason)]].filter(Boolean).join(" "));
}

/**
 * Show where the piece of a premove could go if it were its side's turn.
 * @param {CheckersBoard} board
 * @param {readonly number[]} path  its square
 * @param {string} shown
 */
async function showReach(board, [origin], shown) {
  const found = await asked(board, shown);
  if (!found) return;
  const { rules, words, fen } = found;
  const position = rules.position(fen.replace(/^./u, board.data.mine === "white" ? "W" : "B"));
  const squares = [...targets(boardMoves(position, ANY).legal, [origin]).keys()];
  if (!squares.length) return;
  board.reach = new Map(squares.map((square) => [square, phrase(board.words, "target")]));
  board.render();
  const from = phrase(board.words, "premove-from", { square: board.nameOf(origin) });
  board.hint(`${from} ${phrase(words, "could-go", { squares: board.namesOf(squares) })}`);
}
