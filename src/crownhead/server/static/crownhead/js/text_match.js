// Whether a text contains words, regardless of case and accents.
// @ts-check

/** @param {string} text */
const normalised = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * Whether a text contains every one of the words, in any order; also true for no words.
 * @param {string} text
 * @param {string} words  separated by spaces
 * @returns {boolean}
 */
export function containsWords(text, words) {
  const searched = normalised(text);
  return normalised(words).split(/\s+/u).every((word) => searched.includes(word));
}
