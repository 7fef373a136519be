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
  const { number, begins } = rowsAfter(ply, startsLate);
  const row = begins || !list.lastElementChild ? list.appendChild(newRow(number, ply === 1 && startsLate)) : list.lastElementChild;
  const link = document.createElement("a");
  link.href = `?ply=${ply}`;
  link.setAttribute("data-ply", String(ply));
  link.textContent = notation;
  row.append(" ", link);
}

/** @param {number} number @param {boolean} isHalf  the first side has no move in it */
function newRow(number, isHalf) {
  const row = document.createElement("li");
  const label = document.createElement("span");
  label.className = "number";
  label.textContent = `${number}.`;
  row.append(label);
  if (isHalf) row.append(" ", Object.assign(document.createElement("span"), { textContent: "…" }));
  return row;
}
