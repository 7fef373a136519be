// Pieces on their way: along the path of a move, hop by hop, unless the visitor wants nothing to move.
// @ts-check

import { setting } from "./settings.js";
import { moved } from "./sound.js";

/**
 * A piece goes over the squares of `path`, to the last of which it has been drawn; `taken` are the squares that it
 * empties on its way, `kind` is what it is as it sets out.
 * @typedef {{path: readonly number[], taken: readonly number[], kind: string}} Walk
 */

const HOP = 180; // milliseconds
const LONGEST = 600; // milliseconds, however many hops there are

/** @param {number} hops @returns {number} milliseconds that each of them lasts */
export function hopTime(hops) {
  return Math.min(HOP, LONGEST / Math.max(hops, 1));
}

export function still() {
  return setting("motion") === "off" || globalThis.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Bring what is on its way to where it is going. @param {Element} board */
export function arrive(board) {
  for (const animation of board.getAnimations({ subtree: true })) {
    if (animation.id === "walk") animation.cancel();
  }
}

/** Let a piece walk to the square on which it stands. @param {Element} board @param {Walk} walk */
export function travel(board, { path, taken, kind }) {
  const hops = path.length - 1;
  const cells = path.map((square) => board.querySelector(`button[data-square="${square}"]`));
  const last = cells[cells.length - 1];
  const piece = last?.querySelector("svg");
  if (hops < 1 || !last || !piece) return;
  const crowned = piece.getAttribute("data-kind") === "king" && kind !== "king";
  const hop = still() ? 0 : hopTime(hops);
  moved({ hops, takes: taken.length, crowned, hop: hop / 1000 });
  if (!hop) return;
  const home = last.getBoundingClientRect();
  const frames = cells.map((cell) => {
    const { left, top } = cell?.getBoundingClientRect() ?? home;
    return { transform: `translate(${left - home.left}px, ${top - home.top}px)`, easing: "ease-in-out" };
  });
  const animation = piece.animate(frames, { duration: hop * hops, id: "walk" });
  carry(board, last, piece, kind, animation);
  taken.forEach((square, index) => vanish(board, square, { after: hop * (index + 0.7), whole: hop * hops }));
}

/**
 * While it walks, a piece is above all others and not crowned yet.
 * @param {Element} board @param {Element} cell @param {Element} piece @param {string} kind @param {Animation} animation
 */
function carry(board, cell, piece, kind, animation) {
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
 * What is taken stands until it has been jumped.
 * @param {Element} board @param {number} square @param {{after: number, whole: number}} times  in milliseconds
 */
function vanish(board, square, { after, whole }) {
  const ghost = board.querySelector(`button[data-square="${square}"] svg[data-ghost]`);
  const offset = Math.min(after / whole, 1);
  ghost?.animate([{ opacity: 1 }, { opacity: 1, offset }, {}], { duration: whole, id: "walk" });
}
