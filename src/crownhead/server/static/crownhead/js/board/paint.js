// Writing a position into the squares that the server has drawn.
// @ts-check

import { phrase, squareName } from "./speech.js";
import { takesItselfOff } from "./state.js";

/** @typedef {import("./element.js").CheckersBoard} CheckersBoard */
/** @typedef {import("./state.js").Piece} Piece */
/** @typedef {import("./state.js").Pieces} Pieces */

/**
 * What is to be seen.
 * @typedef {object} View
 * @property {Pieces} pieces
 * @property {ReadonlyMap<number, Piece | undefined>} ghosts  pieces just taken
 * @property {{path: number[], captures: number[]} | undefined} last
 * @property {ReadonlySet<number>} movable
 * @property {boolean} removing  what can be moved goes nowhere but off the board
 * @property {ReadonlyMap<number, string>} targets  with what is said of each
 * @property {number | undefined} standing  where the piece under way stands
 * @property {boolean} placed  its move is complete
 * @property {ReadonlySet<number>} planned  where a move goes that is only thought of
 * @property {ReadonlySet<number>} faults  where something stands that may not
 */

const SVG = "http://www.w3.org/2000/svg";

/** @param {CheckersBoard} board @param {View} view */
export function paint(board, view) {
  for (const button of board.querySelectorAll("button[data-square]")) {
    const square = Number(button.getAttribute("data-square"));
    const piece = view.pieces.get(square);
    const ghost = piece ? undefined : view.ghosts.get(square);
    put(button, piece ?? ghost, Boolean(ghost));
    mark(button, "data-state", stateOf(square, view));
    mark(button, "data-last", partOf(square, view));
    mark(button, "data-mark", markOf(square, view));
    button.setAttribute("aria-label", labelOf(board, square, view, piece, ghost));
  }
}

/** Half a turn: the squares change places, and keep the focus. @param {CheckersBoard} board */
export function turnAround(board) {
  const focused = document.activeElement;
  const grid = board.querySelector("[role='grid']");
  if (!grid) return;
  for (const row of [...grid.querySelectorAll("[role='row']")].reverse()) {
    row.append(...[...row.children].reverse());
    grid.append(row);
  }
  turnEdges(grid);
  grid.toggleAttribute("data-turned"); // what lies over the squares is turned by the style sheet
  if (focused instanceof HTMLElement && board.contains(focused)) focused.focus();
}

/** What is written around the board: the ends of rows change sides, ranks and files keep theirs. @param {Element} grid */
function turnEdges(grid) {
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
function partOf(square, { last }) {
  if (!last) return "";
  if (takesItselfOff(last)) return square === last.path[0] ? "taken" : "";
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
    partOf(square, view) && phrase(board.words, "last"),
    view.targets.get(square),
    (state === "selected" || state === "placed") && phrase(board.words, "selected"),
    (state === "movable" || state === "removable") && phrase(board.words, state),
    markOf(square, view) && phrase(board.words, markOf(square, view)),
  ];
  const said = /** @type {string[]} */ (notes.filter(Boolean));
  return squareName(board.words, { name: board.nameOf(square), piece, notes: said });
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
function mark(element, name, value) {
  if (value) element.setAttribute(name, value);
  else element.removeAttribute(name);
}
