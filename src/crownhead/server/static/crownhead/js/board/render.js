// Draws a position into the squares that the server has sent.
// @ts-check

import { phrase, squareLabel } from "./labels.js";
import { removesItself } from "./position.js";

/** @typedef {import("./element.js").CheckersBoard} CheckersBoard */
/** @typedef {import("./position.js").Piece} Piece */
/** @typedef {import("./position.js").Pieces} Pieces */

/**
 * What to show.
 * @typedef {object} View
 * @property {Pieces} pieces
 * @property {ReadonlyMap<number, Piece | undefined>} ghosts  pieces just captured
 * @property {{path: number[], captures: number[]} | undefined} last
 * @property {ReadonlySet<number>} movable
 * @property {boolean} removing  a move removes a piece from the board
 * @property {ReadonlyMap<number, string>} targets  with a note for each
 * @property {number | undefined} standing  where the piece being moved is
 * @property {boolean} placed  its move is complete
 * @property {ReadonlySet<number>} planned  the squares of a conditional move or a premove
 * @property {ReadonlySet<number>} faults  squares whose pieces the rules do not allow
 */

const SVG = "http://www.w3.org/2000/svg";

/** @param {CheckersBoard} board @param {View} view */
export function render(board, view) {
  for (const button of board.querySelectorAll("button[data-square]")) {
    const square = Number(button.getAttribute("data-square"));
    const piece = view.pieces.get(square);
    const ghost = piece ? undefined : view.ghosts.get(square);
    put(button, piece ?? ghost, Boolean(ghost));
    setOrRemove(button, "data-state", stateOf(square, view));
    setOrRemove(button, "data-last", roleInLastMove(square, view));
    setOrRemove(button, "data-mark", markOf(square, view));
    button.setAttribute("aria-label", labelOf(board, square, view, piece, ghost));
  }
}

/** Turn the board around; the square with the focus keeps it. @param {CheckersBoard} board */
export function rotateBoard(board) {
  const focused = document.activeElement;
  const grid = board.querySelector("[role='grid']");
  if (!grid) return;
  for (const row of [...grid.querySelectorAll("[role='row']")].reverse()) {
    row.append(...[...row.children].reverse());
    grid.append(row);
  }
  rotateEdges(grid);
  grid.toggleAttribute("data-turned"); // the style sheet turns what lies over the squares
  if (focused instanceof HTMLElement && board.contains(focused)) focused.focus();
}

/** Move the labels around the board: row ends change sides, ranks and files stay on theirs. @param {Element} grid */
function rotateEdges(grid) {
  const edges = grid.querySelector(".edges");
  const [, , width, height] = (edges?.getAttribute("viewBox") ?? "").split(" ").map(Number);
  for (const text of edges?.children ?? []) {
    const kind = text.getAttribute("data-edge");
    if (kind !== "rank") text.setAttribute("x", String(width - Number(text.getAttribute("x"))));
    if (kind !== "file") text.setAttribute("y", String(height - Number(text.getAttribute("y"))));
  }
}

/** @param {number} square @param {View} view */
function stateOf(square, view) {
  if (square === view.standing) return view.placed ? "placed" : "selected";
  if (view.targets.has(square)) return "target";
  if (!view.movable.has(square)) return "";
  return view.removing ? "removable" : "movable";
}

/** @param {number} square @param {View} view */
function roleInLastMove(square, { last }) {
  if (!last) return "";
  if (removesItself(last)) return square === last.path[0] ? "taken" : "";
  if (square === last.path[last.path.length - 1]) return "to";
  if (square === last.path[0]) return "from";
  if (last.path.includes(square)) return "via";
  return last.captures.includes(square) ? "taken" : "";
}

/** @param {number} square @param {View} view */
function markOf(square, view) {
  if (view.faults.has(square)) return "fault";
  return view.planned.has(square) ? "conditional" : "";
}

/**
 * @param {CheckersBoard} board
 * @param {number} square
 * @param {View} view
 * @param {Piece | undefined} piece
 * @param {Piece | undefined} ghost
 */
function labelOf(board, square, view, piece, ghost) {
  const state = stateOf(square, view);
  const notes = [
    ghost && phrase(board.words, "taken"),
    roleInLastMove(square, view) && phrase(board.words, "last"),
    view.targets.get(square),
    (state === "selected" || state === "placed") && phrase(board.words, "selected"),
    (state === "movable" || state === "removable") && phrase(board.words, state),
    markOf(square, view) && phrase(board.words, markOf(square, view)),
  ];
  const present = /** @type {string[]} */ (notes.filter(Boolean));
  return squareLabel(board.words, { name: board.nameOf(square), piece, notes: present });
}

/** @param {Element} button @param {Piece | undefined} piece @param {boolean} ghost */
function put(button, piece, ghost) {
  const drawn = button.querySelector("svg");
  const wanted = piece ? `${piece.colour} ${piece.kind}` : "";
  const have = drawn ? `${drawn.getAttribute("data-colour")} ${drawn.getAttribute("data-kind")}` : "";
  if (wanted !== have) {
    drawn?.remove();
    if (piece) button.append(draw(piece));
  }
  button.querySelector("svg")?.toggleAttribute("data-ghost", ghost);
}

/** @param {Piece} piece */
function draw(piece) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "piece");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("data-colour", piece.colour);
  svg.setAttribute("data-kind", piece.kind);
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#piece-${piece.kind}`);
  svg.append(use);
  return svg;
}

/** @param {Element} element @param {string} name @param {string} value */
function setOrRemove(element, name, value) {
  if (value) element.setAttribute(name, value);
  else element.removeAttribute(name);
}
