// The analysis board's page: moves, variations and the engine in the browser, as soon as the rules are loaded; until
// then, and where they cannot be, the server answers. An engine on the server stops when the page is left.
// @ts-check

import { EnginePanel } from "./analysis/engine_panel.js";
import { AnalysisPage, keptMoves } from "./analysis/page.js";
import { Session } from "./analysis/session.js";
import { forBoards, isShortcut, listen, loadRules } from "./local_board.js";

/** @typedef {{session: import("./analysis/page.js").Session, surroundings: AnalysisPage, panel: EnginePanel, page: Element}} Analysis */

/** @type {Analysis | undefined} */
let current;

/** @param {Element} page @param {import("./board/element.js").CheckersBoard} board */
async function start(page, board) {
  current?.panel.close();
  current = undefined;
  const source = page.querySelector("script#analysis");
  if (!source?.textContent) return;
  /** @type {import("./analysis/page.js").About} */
  const about = JSON.parse(source.textContent);
  try {
    /** @type {{rules: import("./rules/rules.js").Rules, package: import("./analysis/engine_panel.js").Package}} */
    const loaded = await loadRules(about.module, `${about.api}/rules`);
    const session = new Session(board, loaded.rules, about, keptMoves(about));
    if (!board.isConnected) return;
    current = { session, page, surroundings: new AnalysisPage(page, session), panel: new EnginePanel(page, session, loaded.package) };
  } catch {
    page.querySelector("[data-engine-panel]")?.setAttribute("hidden", ""); // no WebAssembly, or offline
    return;
  }
  page.setAttribute("data-local", "");
  board.addEventListener("board-ply", changed);
  current.surroundings.show();
  current.panel.follow();
}

/** Another position is shown. */
function changed() {
  if (!current) return;
  stopStudies();
  current.page.querySelector(".findings")?.remove();
  current.surroundings.show();
  current.panel.follow();
}

/** @type {Record<string, (analysis: Analysis, button: Element) => void>} */
const ACTIONS = {
  back: ({ session }) => session.takeBack(),
  again: ({ session }) => session.startOver(),
  promote: ({ session }) => session.promote(),
  remove: ({ session }) => session.remove(),
  "copy-record": ({ session, surroundings }) => {
    void navigator.clipboard?.writeText(surroundings.write()).then(() => session.board.hint(session.board.words.copied));
  },
  read: ({ page, session, surroundings }) => {
    const field = page.querySelector("[data-record]");
    if (!(field instanceof HTMLTextAreaElement) || !field.value.trim()) return;
    const problem = surroundings.read(field.value);
    session.board.hint(problem);
    if (!problem) field.value = "";
  },
};

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (!current || !target?.closest("[data-analysis]") || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const action = ACTIONS[target.closest("[data-tree-action]")?.getAttribute("data-tree-action") ?? ""];
  const node = current.session.tree.node(Number(target.closest("a[data-node]")?.getAttribute("data-node")));
  if (!action && !node) return;
  event.preventDefault();
  if (node) current.session.goTo(node);
  else action(current, target);
});

/** The board may have been turned, or its squares named otherwise. */
function redraw() {
  if (!current) return;
  current.surroundings.show();
  current.panel.redraw();
}

listen(() => current && { ...current, play: (path) => current?.session.play(path), redraw });
document.addEventListener("keydown", (event) => {
  if (event.key === "e" && isShortcut(event)) current?.panel.switch();
});
forBoards("[data-analysis]", (page, board) => void start(page, board));

/** The engine of the server is not to go on with a position that is no longer shown. */
function stopStudies() {
  for (const form of document.querySelectorAll("form[data-study]")) {
    if (!(form instanceof HTMLFormElement)) continue;
    const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    // URL-encoded: a multipart body may not be sent in time.
    navigator.sendBeacon(form.action, new URLSearchParams(fields));
  }
}

addEventListener("pagehide", stopStudies);
