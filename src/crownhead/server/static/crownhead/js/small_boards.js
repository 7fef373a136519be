// Moves the pieces on small boards of running games along with the event stream. It knows no rules.
// @ts-check

import { afterPath, removesItself } from "./board/position.js";

/** @typedef {import("./board/moves.js").Move} Move */
/** @typedef {import("./board/position.js").Piece} Piece */
/** @typedef {import("./board/position.js").Pieces} Pieces */
/** @typedef {import("./game_news.js").PlayedMove} PlayedMove */

const DRAWN = "http://www.w3.org/2000/svg";

/**
 * The columns and rows of the squares, as the page has them: of square 1 first.
 * @param {string} text
 * @returns {Map<number, string>}
 */
export function placesOf(text) {
  return new Map(text.split(" ").filter(Boolean).map((place, at) => [at + 1, place]));
}

/**
 * The position after a move; none where the move does not begin with a piece of its side.
 * @param {Pieces} pieces
 * @param {Omit<Move, "notation"> & {colour: string}} move
 * @returns {Pieces | undefined}
 */
export function positionAfter(pieces, move) {
  if (pieces.get(move.path[0])?.colour !== move.colour) return undefined;
  if (!removesItself(move) && move.kinds.length !== move.path.length) return undefined;
  return afterPath(pieces, { ...move, notation: "" }, move.path).pieces;
}

/**
 * Show a move on a small board of its game.
 * @param {Element} board
 * @param {{version: number, turn: string | null, move?: PlayedMove}} news
 * @returns {boolean} whether the board shows the game as it is now
 */
export function showSmallMove(board, { version, turn, move }) {
  const shown = Number(board.getAttribute("data-version"));
  if (version <= shown && turn) return true;
  const picture = board.querySelector("svg.diagram");
  if (version !== shown + 1 || !turn || !move || !picture) return false;
  const places = placesOf(board.getAttribute("data-places") ?? "");
  const after = positionAfter(readPieces(picture, places), move);
  if (!after) return false;
  draw(picture, after, places);
  const fen = board.getAttribute("data-fen") ?? "";
  picture.setAttribute("aria-label", (picture.getAttribute("aria-label") ?? "").replace(fen, move.fen));
  board.setAttribute("data-fen", move.fen);
  board.setAttribute("data-version", String(version));
  for (const seat of board.querySelectorAll(".seat")) {
    seat.toggleAttribute("data-to-move", seat.getAttribute("data-colour") === move.to_move);
  }
  return true;
}

/** @param {Element} picture @param {ReadonlyMap<number, string>} places @returns {Pieces} */
function readPieces(picture, places) {
  const numbers = new Map([...places].map(([number, place]) => [place, number]));
  /** @type {Map<number, Piece>} */
  const pieces = new Map();
  for (const use of picture.querySelectorAll("use")) {
    const number = numbers.get(`${use.getAttribute("x")},${use.getAttribute("y")}`);
    const kind = /** @type {Piece["kind"]} */ ((use.getAttribute("href") ?? "").replace("#piece-", ""));
    const colour = use.getAttribute("data-colour") === "black" ? "black" : "white";
    if (number !== undefined) pieces.set(number, { colour, kind });
  }
  return pieces;
}

/** @param {Element} picture @param {Pieces} pieces @param {ReadonlyMap<number, string>} places */
function draw(picture, pieces, places) {
  for (const use of [...picture.querySelectorAll("use")]) use.remove();
  for (const [number, { colour, kind }] of pieces) {
    const [x = "", y = ""] = (places.get(number) ?? "").split(",");
    const use = document.createElementNS(DRAWN, "use");
    const facts = { href: `#piece-${kind}`, x, y, width: "1", height: "1", "data-colour": colour };
    for (const [name, value] of Object.entries(facts)) use.setAttribute(name, value);
    picture.append(use);
  }
}
