// What stands where: positions along a game, and a move half made. It knows no rules: it follows paths.
// @ts-check

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {"man" | "king" | "mule" | "parachutist"} Kind */
/** @typedef {{colour: "black" | "white", kind: Kind}} Piece */
/** @typedef {ReadonlyMap<number, Piece>} Pieces */

/** The kinds of pieces by the letters that pages write. @type {Readonly<Record<string, Kind>>} */
export const KINDS = { M: "man", K: "king", U: "mule", P: "parachutist" };

/**
 * The piece goes nowhere: its own side takes it from the board.
 * @param {{path: readonly number[], captures: readonly number[]}} move
 */
export function takesItselfOff({ path, captures }) {
  return captures.length === 1 && captures[0] === path[0];
}

/**
 * The position after the move went along `path`, which may stop half-way: what was taken so far, and what stands where.
 * @param {Pieces} pieces
 * @param {Move} move
 * @param {readonly number[]} path
 * @returns {{pieces: Pieces, taken: Map<number, Piece>}}
 */
export function along(pieces, move, path) {
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
  if (takesItselfOff(move)) return { pieces: after, taken };
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
export function positions(start, record) {
  const stands = [start];
  for (const move of record) stands.push(along(stands[stands.length - 1], move, move.path).pieces);
  return stands;
}

/**
 * A piece from `BM`, `WK` …; none from anything else.
 * @param {string} code
 * @returns {Piece | undefined}
 */
export function pieceOf([colour, kind]) {
  if (!KINDS[kind]) return undefined;
  return { colour: colour === "B" ? "black" : "white", kind: KINDS[kind] };
}

/**
 * Pieces from how a page writes them: square number to `BM`, `WK` ….
 * @param {Readonly<Record<string, string>>} written
 * @returns {Pieces}
 */
export function read(written) {
  /** @type {Map<number, Piece>} */
  const pieces = new Map();
  for (const [square, code] of Object.entries(written)) {
    const piece = pieceOf(code);
    if (piece) pieces.set(Number(square), piece);
  }
  return pieces;
}

/**
 * Which pieces of `colour` have gone since the start, by the kind they had there.
 * @param {Pieces} start
 * @param {Pieces} now
 * @param {"black" | "white"} colour
 * @returns {number}
 */
export function lost(start, now, colour) {
  const count = (/** @type {Pieces} */ pieces) => [...pieces.values()].filter((piece) => piece.colour === colour).length;
  return count(start) - count(now);
}
