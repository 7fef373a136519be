// Texts of moves, written as the game's own players call squares, in the names that the visitor has chosen.
// @ts-check

/** @typedef {Pick<import("./geometry.js").Square, "name" | "algebraic">} Named */

/**
 * What respells a text that tells of nothing but squares: `22x15` and `White jumps 22 to 15.`
 * @param {readonly Named[]} squares
 * @param {string} names  "own" or "algebraic"
 * @returns {(text: string) => string}
 */
export function speller(squares, names) {
  const numbered = names === "algebraic" ? squares.filter(({ name }) => /^\d+$/u.test(name)) : [];
  const called = new Map(numbered.map(({ name, algebraic }) => [name, algebraic]));
  return (text) => (called.size ? text.replace(/\d+/gu, (number) => called.get(number) ?? number) : text);
}

/** What texts of the page said before they were respelled. @type {WeakMap<Text, string>} */
const own = new WeakMap();

/**
 * Respell the moves that a page lists; what is numbered besides squares is left alone.
 * @param {ParentNode} root
 * @param {(text: string) => string} spell
 */
export function respell(root, spell) {
  for (const list of root.querySelectorAll("[data-moves]")) {
    const texts = document.createTreeWalker(list, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = /** @type {Text} */ (texts.currentNode);
      if (text.parentElement?.matches(".number")) continue;
      const said = own.get(text) ?? text.data;
      own.set(text, said);
      if (text.data !== spell(said)) text.data = spell(said);
    }
  }
}
