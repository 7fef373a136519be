// Animates moves: a piece goes along its path, hop by hop, unless animation is switched off.
// @ts-check

import { setting } from "./settings.js";
import { playMoveSound } from "./sound.js";

/**
 * A piece goes over the squares of `path` and is already drawn on the last; `taken` are the squares of the pieces it
 * captures on its way, `kind` is its kind before the move.
 * @typedef {{path: readonly number[], taken: readonly number[], kind: string}} MoveAnimation
 */

const HOP = 180; // milliseconds
const LONGEST = 600; // milliseconds, however many hops there are

/** @param {number} hops @returns {number} milliseconds that each of them lasts */
export function hopTime(hops) {
  return Math.min(HOP, LONGEST / Math.max(hops, 1));
}

export function motionOff() {
  return setting("motion") === "off" || globalThis.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** End all animations at once. @param {Element} board */
export function finishAnimations(board) {
  for (const animation of board.getAnimations({ subtree: true })) {
    if (animation.id === "move") animation.cancel();
  }
}

/** Animate a move to where its piece is drawn. @param {Element} board @param {MoveAnimation} move */
export function animate(board, { path, taken, kind }) {
  const hops = path.length - 1;
  const cells = path.map((square) => board.querySelector(`button[data-square="${square}"]`));
  const last = cells[cells.length - 1];
  const piece = last?.querySelector("svg");
  if (hops < 1 || !last || !piece) return;
  const crowned = piece.getAttribute("data-kind") === "king" && kind !== "king";
  const hop = motionOff() ? 0 : hopTime(hops);
  playMoveSound({ hops, takes: taken.length, crowned, hop: hop / 1000 });
  if (!hop) return;
  const home = last.getBoundingClientRect();
  const frames = cells.map((cell) => {
    const { left, top } = cell?.getBoundingClientRect() ?? home;
    return { transform: `translate(${left - home.left}px, ${top - home.top}px)`, easing: "ease-in-out" };
  });
  const animation = piece.animate(frames, { duration: hop * hops, id: "move" });
  liftWhileMoving(board, last, piece, kind, animation);
  taken.forEach((square, index) => fadeOut(board, square, { after: hop * (index + 0.7), whole: hop * hops }));
}

/**
 * While it moves, a piece is above all others and not crowned yet.
 * @param {Element} board @param {Element} cell @param {Element} piece @param {string} kind @param {Animation} animation
 */
function liftWhileMoving(board, cell, piece, kind, animation) {
  const use = piece.querySelector("use");
  const drawn = use?.getAttribute("href") ?? "";
  use?.setAttribute("href", `#piece-${kind}`);
  board.setAttribute("data-moving", "");
  cell.parentElement?.setAttribute("data-above", "");
  const done = () => {
    use?.setAttribute("href", drawn);
    board.removeAttribute("data-moving");
    cell.parentElement?.removeAttribute("data-above");
  };
  animation.addEventListener("finish", done);
  animation.addEventListener("cancel", done);
}

/**
 * A captured piece stays until it has been jumped.
 * @param {Element} board @param {number} square @param {{after: number, whole: number}} times  in milliseconds
 */
function fadeOut(board, square, { after, whole }) {
  const ghost = board.querySelector(`button[data-square="${square}"] svg[data-ghost]`);
  const offset = Math.min(after / whole, 1);
  ghost?.animate([{ opacity: 1 }, { opacity: 1, offset }, {}], { duration: whole, id: "move" });
}
