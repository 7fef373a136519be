// Texts for screen readers and hints: labels of squares, lists of pieces. The words come from the page, translated.
// @ts-check

/** @typedef {Readonly<Record<string, string>>} Words */
/** @typedef {import("./position.js").Pieces} Pieces */
/** @typedef {import("./position.js").Piece} Piece */

/**
 * A phrase with its placeholders filled: `{square}` by `values.square`.
 * @param {Words} words
 * @param {string} key
 * @param {Readonly<Record<string, string>>} [values]
 * @returns {string}
 */
export function phrase(words, key, values = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/gu, (placeholder, name) => values[name] ?? placeholder);
}

/**
 * The accessible name of a square: "22, white king, can move".
 * @param {Words} words
 * @param {{name: string, piece?: Piece, notes: readonly string[]}} square
 * @returns {string}
 */
export function squareLabel(words, { name, piece, notes }) {
  const content = piece ? phrase(words, `${piece.colour}-${piece.kind}`) : phrase(words, "empty");
  return [name, content, ...notes].join(", ");
}

/**
 * All pieces with their squares: "Red: men 1, 2; kings 30. White: …".
 * @param {Words} words
 * @param {Pieces} pieces
 * @param {(square: number) => string} nameOf
 * @returns {string}
 */
export function describePieces(words, pieces, nameOf) {
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
