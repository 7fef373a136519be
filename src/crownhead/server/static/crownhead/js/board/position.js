// Positions of a game, and of a half-made move. It knows no rules: it follows paths.
// @ts-check

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {"man" | "king" | "mule" | "parachutist"} Kind */
/** @typedef {{colour: "black" | "white", kind: Kind}} Piece */
/** @typedef {ReadonlyMap<number, Piece>} Pieces */

/** The kinds of pieces by the letters in the page's data. @type {Readonly<Record<string, Kind>>} */
export const KINDS = { M: "man", K: "king", U: "mule", P: "parachutist" };

/**
 * Whether a move only removes the player's own piece.
 * @param {{path: readonly number[], captures: readonly number[]}} move
 */
export function removesItself({ path, captures }) {
  return captures.length === 1 && captures[0] === path[0];
}

/**
 * The position after a move went along `path`, which may end half-way, and what was captured so far.
 * @param {Pieces} pieces
 * @param {Move} move
 * @param {readonly number[]} path
 * @returns {{pieces: Pieces, taken: Map<number, Piece>}}
 */
export function afterPath(pieces, move, path) {
  const after = new Map(pieces);
  /** @type {Map<number, Piece>} */
  const taken = new Map();
  const piece = pieces.get(move.path[0]);
  if (!piece || path.length < 2) return { pieces: after, taken };
  for (const square of move.captures.slice(0, path.length - 1)) {
    const captured = pieces.get(square);
    if (captured) taken.set(square, captured);
    after.delete(square);
  }
  if (removesItself(move)) return { pieces: after, taken };
  after.delete(path[0]);
  after.set(path[path.length - 1], { ...piece, kind: KINDS[move.kinds[path.length - 1]] });
  return { pieces: after, taken };
}

/**
 * All positions of a game, one more than its moves.
 * @param {Pieces} start
 * @param {readonly Move[]} record
 * @returns {Pieces[]}
 */
export function replay(start, record) {
  const positions = [start];
  for (const move of record) positions.push(afterPath(positions[positions.length - 1], move, move.path).pieces);
  return positions;
}

/**
 * The piece that `BM`, `WK` … stands for, if any.
 * @param {string} code
 * @returns {Piece | undefined}
 */
export function parsePiece([colour, kind]) {
  if (!KINDS[kind]) return undefined;
  return { colour: colour === "B" ? "black" : "white", kind: KINDS[kind] };
}

/**
 * The pieces of the page's data: square number to `BM`, `WK` ….
 * @param {Readonly<Record<string, string>>} codes
 * @returns {Pieces}
 */
export function parsePieces(codes) {
  /** @type {Map<number, Piece>} */
  const pieces = new Map();
  for (const [square, code] of Object.entries(codes)) {
    const piece = parsePiece(code);
    if (piece) pieces.set(Number(square), piece);
  }
  return pieces;
}

/**
 * How many pieces of `colour` have been lost since the start.
 * @param {Pieces} start
 * @param {Pieces} now
 * @param {"black" | "white"} colour
 * @returns {number}
 */
export function countLost(start, now, colour) {
  const count = (/** @type {Pieces} */ pieces) => [...pieces.values()].filter((piece) => piece.colour === colour).length;
  return count(start) - count(now);
}
