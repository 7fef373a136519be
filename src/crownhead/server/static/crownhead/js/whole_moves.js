// Texts whose moves stay whole at the end of a line, as `templatetags/whole_moves.py` writes them.
// @ts-check

const MOVE = /(\S*\d[-:x](?=[a-n]?\d)\S*)/u;

/**
 * Write a text into an element.
 * @param {Element} element
 * @param {string} text
 */
export function writeWholeMoves(element, text) {
  const parts = text.split(MOVE); // texts and moves by turns
  element.replaceChildren(...parts.map((part, at) => (at % 2 ? wholeMove(part) : part)));
}

/** @param {string} text */
function wholeMove(text) {
  const span = document.createElement("span");
  span.className = "whole-move";
  span.textContent = text;
  return span;
}
