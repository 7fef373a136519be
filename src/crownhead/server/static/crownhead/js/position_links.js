// Links beside a board lead to the position that it shows.
// @ts-check

import { CheckersBoard } from "./board/element.js";
import { fenAt } from "./board/told.js";

document.addEventListener("board-ply", (event) => {
  const board = event.target;
  if (!(board instanceof CheckersBoard)) return;
  const { ply } = /** @type {CustomEvent} */ (event).detail;
  const scope = board.closest("[data-scope]");
  for (const link of scope?.querySelectorAll("a[data-with-ply]") ?? []) setParameter(link, "ply", String(ply));
  for (const link of scope?.querySelectorAll("a[data-with-fen]") ?? []) setParameter(link, "fen", fenAt(board, ply));
  for (const button of scope?.querySelectorAll("[data-link^='?ply=']") ?? []) button.setAttribute("data-link", `?ply=${ply}`);
});

/** @param {Element} link @param {string} name @param {string} value */
function setParameter(link, name, value) {
  const address = new URL(link.getAttribute("href") ?? "", location.href);
  address.searchParams.set(name, value);
  link.setAttribute("href", address.pathname + address.search);
}
