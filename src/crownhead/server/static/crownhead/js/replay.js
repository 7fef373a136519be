// Going through a game: by itself, move after move, and by the wheel over the board.
// @ts-check

import { CheckersBoard } from "./board/element.js";
import { wheelSteps } from "./board/wheel.js";

const EVERY = 1200; // milliseconds between two moves

/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;
/** The position at which the game goes on by itself. */
let shown = 0;

/** @param {EventTarget | null} target */
function boardBeside(target) {
  const board = target instanceof Element ? target.closest("[data-scope]")?.querySelector("checkers-board") : null;
  return board instanceof CheckersBoard ? board : null;
}

/** @param {boolean} isPlaying */
function showState(isPlaying) {
  document.querySelector("[data-autoplay]")?.setAttribute("aria-pressed", String(isPlaying));
}

function stop() {
  clearInterval(timer);
  timer = undefined;
  showState(false);
}

/** @param {CheckersBoard} board @param {number} ply */
function step(board, ply) {
  shown = ply;
  board.show(ply);
}

/** @param {CheckersBoard} board */
function start(board) {
  step(board, board.ply === board.lastPly ? 0 : board.ply);
  timer = setInterval(goOn, EVERY);
  showState(true);
}

function goOn() {
  const board = boardBeside(document.querySelector("[data-autoplay]")); // the content may be another one by now
  if (!board || board.ply >= board.lastPly) stop();
  else step(board, board.ply + 1);
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-autoplay]") : null;
  const board = boardBeside(button);
  if (!button || !board) return;
  if (timer === undefined) start(board);
  else stop();
});

// Any other step ends it, but not a move that is played meanwhile.
document.addEventListener("board-ply", (event) => {
  if (timer !== undefined && /** @type {CustomEvent} */ (event).detail.ply !== shown) stop();
});
document.addEventListener("htmx:afterSwap", () => {
  if (timer !== undefined) showState(true);
});

/** What the wheel has turned since its last step, in pixels. */
let turned = 0;

document.addEventListener(
  "wheel",
  (event) => {
    const board = event.target instanceof Element ? event.target.closest("checkers-board") : null;
    // Only where a game is looked at: who plays scrolls the page.
    if (!(board instanceof CheckersBoard) || event.ctrlKey || !board.lastPly || board.data.mine || board.data.legal.length) return;
    event.preventDefault();
    const { steps, rest } = wheelSteps(turned, event.deltaY, event.deltaMode);
    turned = rest;
    if (steps) board.show(board.ply + steps);
  },
  { passive: false },
);
