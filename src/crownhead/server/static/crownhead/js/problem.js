// The page of a problem: of a wrong move, which the server has refused, the board shows the best answer, by the browser's
// engine. Where that cannot be fetched, what the server says of the move stands.
// @ts-check

import { loadGame } from "./board/load.js";
import { WrongTry } from "./problems/wrong_try.js";

/** @typedef {import("./board/element.js").CheckersBoard} CheckersBoard */

/**
 * A wrong move as the page hands it over, see `problems/presenters.py`.
 * @typedef {import("./problems/answer.js").Terms & {fen: string, path: number[], captures: number[], failure: string}} Refuted
 */

/** @param {Element} place @param {CheckersBoard} board */
function begin(place, board) {
  const source = place.querySelector("script#refuted");
  if (!source?.textContent) return;
  /** @type {Refuted} */
  const refuted = JSON.parse(source.textContent);
  const { record, fens, legal, barred } = board.data;
  const isIt = (/** @type {number[][]} */ ...squares) => squares.join(";") === [refuted.path, refuted.captures].join(";");
  const wrong = legal.find(({ path, captures }) => isIt(path, captures));
  if (!wrong) return;
  const { path, captures, kinds } = wrong;
  const shown = new WrongTry({
    place,
    board,
    move: { path, captures, kinds },
    failure: refuted.failure,
    texts: refuted.texts,
    restore: () => loadGame(board, { record, fens, legal, barred }),
    say: (text, hint) => say(place, board, text, hint),
  });
  void shown.refute(async (signal) => {
    const { Answers } = await import("./problems/answer.js");
    const answers = await Answers.load(refuted, board.words);
    return answers.to(answers.rules.position(refuted.fen), wrong, signal);
  });
}

/** @param {Element} place @param {CheckersBoard} board @param {string} text @param {string} hint */
function say(place, board, text, hint) {
  const shown = board.withSquareNames(text);
  const last = board.ply ? board.sentence(board.ply) : "";
  for (const [selector, said] of [["[data-said]", shown], ["[data-hint]", hint], ["[data-announce]", `${last} ${shown}`.trim()]]) {
    const element = place.querySelector(selector);
    if (!(element instanceof HTMLElement) || element.textContent === said) continue;
    element.style.minHeight = `${element.offsetHeight}px`; // what stands below keeps its place
    element.textContent = said;
  }
  document.dispatchEvent(new CustomEvent("game-moved"));
}

/** @param {EventTarget | null} target */
function look(target) {
  const board = /** @type {CheckersBoard | null} */ (target instanceof Element ? target.closest("checkers-board") : null);
  const place = board?.closest("[data-problem-page]");
  if (board && place) begin(place, board);
}

document.addEventListener("board-ready", ({ target }) => look(target));
look(document.querySelector("[data-problem-page] checkers-board[data-ready]"));
