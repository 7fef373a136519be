// Why a piece will not move as somebody wants it to: words are for the page, in its language.
// @ts-check

import { TooManyCaptures } from "./rules.js";

/** @typedef {import("./rules.js").Move} Move */
/** @typedef {import("./rules.js").Position} Position */

/**
 * `squares`: those that would do, ascending. The reasons:
 *
 * - `over`: the game is; `empty`: nothing stands there; `theirs`: it is the other side's;
 * - `remove`: the player takes off a piece of their own, one of `squares`;
 * - `jump`: a jump is compulsory, from `squares`; `stuck`: this piece cannot move;
 * - `go-on`: the jump goes on to one of `squares`; `elsewhere`: it can move to `squares`, or must where `captures`;
 * - `path`: no move passes these squares.
 *
 * `priority`: what decides for another capture, where the piece could have captured like that; else empty.
 * @typedef {object} Reason
 * @property {"over" | "empty" | "theirs" | "remove" | "jump" | "stuck" | "go-on" | "elsewhere" | "path"} reason
 * @property {number[]} squares
 * @property {boolean} captures
 * @property {string} priority  as in `crownhead.rules.schema.Priority`
 */

/**
 * Why no legal move goes along a path, which may be one square; none: some does.
 * @param {Position} position
 * @param {readonly number[]} path
 * @returns {Reason | undefined}
 */
export function whyNot(position, path) {
  const legal = position.legalMoves();
  const [origin] = path;
  const captures = (legal[0]?.captures.length ?? 0) > 0;
  /** @type {(reason: Reason["reason"], moves?: readonly number[]) => Reason} */
  const because = (reason, squares = []) => ({ reason, squares: [...new Set(squares)], captures, priority: "" });
  if (!legal.length) return because("over");
  const piece = position.piece(origin);
  if (!piece) return because("empty");
  if (piece.colour !== position.turn) return because("theirs");
  const own = legal.filter((move) => move.path[0] === origin);
  if (path.length > 1 ? position.find(path).length : own.length) return undefined;
  const origins = legal.map((move) => move.path[0]);
  if (legal[0].captures[0] === legal[0].path[0]) return because("remove", origins);
  if (own.length) return whyNotAlong(position, path, own, because);
  return captures ? { ...because("jump", origins), priority: overruledBy(position, path) } : because("stuck");
}

/**
 * The component of the sort key of captures for which a capture along a path is not legal: it is by those before that one.
 * Nothing where there is no such capture at all.
 * @param {Position} position
 * @param {readonly number[]} path
 */
function overruledBy(position, path) {
  const { components } = position.rules.row.priority;
  const isCapture = (/** @type {Move} */ move) => move.path[0] === path[0] && move.captures.length > 0;
  try {
    for (let count = components.length - 1; count >= 0; count--) {
      const wider = position.byPriority(count);
      if ((path.length > 1 ? wider.find(path) : wider.legalMoves()).some(isCapture)) return components[count];
    }
  } catch (error) {
    if (!(error instanceof TooManyCaptures)) throw error;
  }
  return "";
}

/**
 * @param {Position} position
 * @param {readonly number[]} path
 * @param {readonly Move[]} own
 * @param {(reason: Reason["reason"], squares?: readonly number[]) => Reason} because
 */
function whyNotAlong(position, path, own, because) {
  const end = (/** @type {Move} */ move) => move.path[move.path.length - 1];
  const longer = own.filter((move) => move.path.length > path.length && path.every((square, at) => move.path[at] === square));
  if (longer.length) return because("go-on", longer.map(end));
  const wanted = path[path.length - 1];
  const reason = own.some((move) => end(move) === wanted) ? because("path") : because("elsewhere", own.map(end));
  return { ...reason, priority: overruledBy(position, path) };
}
