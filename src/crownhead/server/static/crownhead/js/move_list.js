// The list of moves beside a board, one row for a move of each side.
// @ts-check

import { rowsAfter } from "./game_texts.js";

/**
 * @param {Element} list
 * @param {number} ply  from 1
 * @param {string} notation
 * @param {boolean} startsLate  the first move was made by the other side than the variant's first
 */
export function addPly(list, ply, notation, startsLate) {
  const { begins } = rowsAfter(ply, startsLate);
  const row = begins || !list.lastElementChild ? list.appendChild(newRow(ply === 1 && startsLate)) : list.lastElementChild;
  const link = document.createElement("a");
  link.href = `?ply=${ply}`;
  link.textContent = notation;
  row.append(" ", link);
}

/** @param {boolean} isHalf  the first side has no move in it */
function newRow(isHalf) {
  const row = document.createElement("li");
  if (isHalf) row.append(" ", Object.assign(document.createElement("span"), { textContent: "…" }));
  return row;
}
