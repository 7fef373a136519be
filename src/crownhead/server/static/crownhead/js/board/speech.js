// What the board says: names of squares, sentences about moves. The words come from the page, translated.
// @ts-check

/** @typedef {Readonly<Record<string, string>>} Words */
/** @typedef {import("./state.js").Pieces} Pieces */
/** @typedef {import("./state.js").Piece} Piece */

/**
 * A phrase with its gaps filled: `{square}` by what `facts.square` is.
 * @param {Words} words
 * @param {string} key
 * @param {Readonly<Record<string, string>>} [facts]
 * @returns {string}
 */
export function phrase(words, key, facts = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/gu, (gap, name) => facts[name] ?? gap);
}

/**
 * The accessible name of a square: "22, white king, can move".
 * @param {Words} words
 * @param {{name: string, piece?: Piece, notes: readonly string[]}} square
 * @returns {string}
 */
export function squareName(words, { name, piece, notes }) {
  const stands = piece ? phrase(words, `${piece.colour}-${piece.kind}`) : phrase(words, "empty");
  return [name, stands, ...notes].join(", ");
}

/**
 * Which pieces stand where: "Red: men 1, 2; kings 30. White: …".
 * @param {Words} words
 * @param {Pieces} pieces
 * @param {(square: number) => string} nameOf
 * @returns {string}
 */
export function pieceList(words, pieces, nameOf) {
  const sides = /** @type {const} */ (["black", "white"]).map((colour) => {
    const kinds = /** @type {const} */ (["man", "mule", "parachutist", "king"]).map((kind) => {
      const places = [...pieces].filter(([, piece]) => piece.colour === colour && piece.kind === kind);
      const names = places.map(([square]) => nameOf(square)).join(", ");
      return names && phrase(words, `list-${kind}`, { squares: names });
    });
    return `${phrase(words, colour)}: ${kinds.filter(Boolean).join("; ") || phrase(words, "none")}.`;
  });
  return sides.join(" ");
}
