// Writing what stands on a board as FEN; the server reads it and judges it.
// @ts-check

/** @typedef {import("./state.js").Pieces} Pieces */

/** @type {Readonly<Record<import("./state.js").Kind, string>>} */
const MARKS = { man: "", king: "K", mule: "M", parachutist: "P" };

/**
 * `W:W21,K22:B1`: the side to move, then the squares of each side by the names that the variant gives them.
 * @param {"black" | "white"} turn
 * @param {Pieces} pieces
 * @param {(square: number) => string} nameOf
 */
export function written(turn, pieces, nameOf) {
  const sorted = [...pieces].sort(([a], [b]) => a - b);
  const side = (/** @type {string} */ colour) =>
    sorted
      .filter(([, piece]) => piece.colour === colour)
      .map(([square, piece]) => `${MARKS[piece.kind]}${nameOf(square)}`)
      .join(",");
  return `${turn === "white" ? "W" : "B"}:W${side("white")}:B${side("black")}`;
}
