// Rewrites the squares in texts of moves to the naming that was chosen: the variant's own, or file and rank.
// @ts-check

/** @typedef {Pick<import("./geometry.js").Square, "name" | "algebraic">} SquareNames */

/**
 * A function that rewrites the squares in a text without other numbers: `22x15`, `White jumps 22 to 15.`
 * @param {readonly SquareNames[]} squares
 * @param {string} names  "own" or "algebraic"
 * @returns {(text: string) => string}
 */
export function squareRenamer(squares, names) {
  const numbered = names === "algebraic" ? squares.filter(({ name }) => /^\d+$/u.test(name)) : [];
  const algebraicNames = new Map(numbered.map(({ name, algebraic }) => [name, algebraic]));
  return (text) => (algebraicNames.size ? text.replace(/\d+/gu, (number) => algebraicNames.get(number) ?? number) : text);
}

/** Texts of the page as the server wrote them. @type {WeakMap<Text, string>} */
const originals = new WeakMap();

/**
 * Rewrite the moves that a page lists; the numbers of moves are left alone.
 * @param {ParentNode} root
 * @param {(text: string) => string} rename
 */
export function renameSquares(root, rename) {
  for (const list of root.querySelectorAll("[data-moves]")) {
    const texts = document.createTreeWalker(list, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = /** @type {Text} */ (texts.currentNode);
      if (text.parentElement?.matches(".number")) continue;
      const original = originals.get(text) ?? text.data;
      originals.set(text, original);
      if (text.data !== rename(original)) text.data = rename(original);
    }
  }
}
