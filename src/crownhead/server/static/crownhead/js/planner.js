// The planner of conditional moves: lines are built in the browser as soon as the rules are loaded; until then, and
// where they cannot be, the server answers. Plans are saved by the server.
// @ts-check

import { Session } from "./analysis/session.js";
import { forBoards, listen, loadRules } from "./local_board.js";
import { PlannerPage } from "./planner/page.js";

/** @typedef {import("./board/element.js").CheckersBoard} CheckersBoard */

/** @type {PlannerPage | undefined} */
let current;

/** @param {Element} page @param {CheckersBoard} board */
async function start(page, board) {
  current = undefined;
  const source = page.querySelector("script#planner");
  if (!source?.textContent) return;
  /** @type {import("./planner/page.js").About} */
  const about = JSON.parse(source.textContent);
  try {
    const { rules } = await loadRules(about.module, about.rules);
    if (!board.isConnected) return;
    current = new PlannerPage(page, new Session(board, rules, about));
  } catch {
    return; // no WebAssembly, or offline
  }
  page.setAttribute("data-local", "");
  board.addEventListener("board-ply", () => current?.redraw());
  current.redraw();
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const link = target?.closest("a[data-planner], a[data-line]");
  if (!link || !current?.page.contains(link) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (current.follow(link)) event.preventDefault();
});

listen(() => current);
forBoards(".planner", (page, board) => void start(page, board));
