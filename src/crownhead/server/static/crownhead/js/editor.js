// The set-up mode of the analysis board: keeps its fields and address up to date with the board, and what the rules say of
// the position.
// @ts-check

import { CheckersBoard } from "./board/element.js";
import { toFen } from "./board/fen.js";
import { place, showFaults } from "./editor/placing.js";
import { sentenceFor, showImpossible, showPossible, whyImpossible } from "./editor/verdict.js";

const PAUSE = 120; // milliseconds without a change before the server is asked
const WIDTH = 1024; // pixels of a PNG
const isFlipped = new URL(location.href).searchParams.has("flip"); // as the server drew the board

/** @type {ReturnType<typeof setTimeout> | undefined} */
let pending;
/** @type {AbortController | undefined} */
let request;

/** @returns {{page: Element, board: CheckersBoard} | undefined} */
function findEditor() {
  const page = document.querySelector("[data-editor]");
  const board = page?.querySelector("checkers-board");
  return page && board instanceof CheckersBoard ? { page, board } : undefined;
}

/** @param {Element} page @param {string} name */
function checkedValue(page, name) {
  const field = page.querySelector(`input[name="${name}"]:checked`);
  return field instanceof HTMLInputElement ? field.value : "";
}

/** The board asks for a change: a click puts the chosen piece. @param {CustomEvent} event */
function change({ detail }) {
  const editor = findEditor();
  if (!editor) return;
  place(editor.board, { code: checkedValue(editor.page, "put"), ...detail });
  writePosition();
}

/** Write the position on the board into the fields and the address. */
function writePosition() {
  const editor = findEditor();
  if (!editor) return;
  const { page, board } = editor;
  const names = new Map(board.squares.map((square) => [square.number, square.name]));
  const turn = checkedValue(page, "turn") === "black" ? "black" : "white";
  const fen = toFen(turn, board.pieces, (square) => names.get(square) ?? "", board.data.runs);
  for (const field of page.querySelectorAll("[data-fen]")) if (field instanceof HTMLInputElement) field.value = fen;
  page.querySelector("[data-copy]")?.setAttribute("data-copy", fen);
  const address = new URL(location.pathname, location.href);
  const variant = page.querySelector("input[name='variant']");
  if (variant instanceof HTMLInputElement) address.searchParams.set("variant", variant.value);
  address.searchParams.set("fen", fen);
  if (isFlipped !== (board.bottom !== board.data.bottom)) address.searchParams.set("flip", "1");
  const analysis = address.pathname + address.search;
  page.querySelector("[data-playing]")?.setAttribute("href", analysis);
  address.searchParams.set("setup", "1");
  history.replaceState(history.state, "", address);
  page.querySelector("[data-link]")?.setAttribute("data-link", address.href);
  clearTimeout(pending);
  request?.abort();
  void judge(address, analysis, fen);
}

/**
 * By the rules in this browser, or else by the server.
 * @param {URL} address
 * @param {string} analysis
 * @param {string} fen
 */
async function judge(address, analysis, fen) {
  const editor = findEditor();
  if (!editor) return;
  const { page, board } = editor;
  const sentence = await sentenceFor(page, fen);
  const why = sentence ? undefined : await whyImpossible(page, board, fen.startsWith("B") ? "black" : "white");
  if (!board.isConnected || location.href !== address.href) return; // changed again meanwhile
  if (why) {
    showImpossible(page, why);
    showFaults(board, why.faults);
    return;
  }
  if (!sentence) {
    pending = setTimeout(() => void check(address), PAUSE);
    return;
  }
  const picture = new URLSearchParams({ variant: address.searchParams.get("variant") ?? "", fen });
  if (board.bottom === "black") picture.set("flip", "1");
  showPossible(page, sentence, { analysis, picture });
  showFaults(board, []);
}

/** @param {URL} address */
async function check(address) {
  request?.abort();
  request = new AbortController();
  try {
    const answer = await fetch(address, { headers: { "HX-Request": "true" }, signal: request.signal });
    const verdict = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-verdict]");
    const editor = findEditor();
    if (!verdict || !editor) return;
    const place = editor.page.querySelector("[data-verdict]");
    place?.replaceChildren(...verdict.childNodes);
    const faults = verdict.getAttribute("data-faults") ?? "";
    showFaults(editor.board, faults.split(",").filter(Boolean).map(Number));
  } catch {
    // superseded by a newer request, or offline: the fields are up to date all the same
  }
}

/** Save the server's picture of the position as PNG. @param {string} address */
async function savePng(address) {
  const picture = new Image();
  picture.src = `${address}&size=${WIDTH}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.naturalWidth, picture.naturalHeight];
  canvas.getContext("2d")?.drawImage(picture, 0, 0);
  canvas.toBlob((data) => {
    if (!data) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(data);
    link.download = "position.png";
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

document.addEventListener("board-place", (event) => change(/** @type {CustomEvent} */ (event)));
document.addEventListener("change", (event) => {
  const field = event.target;
  if (field instanceof HTMLInputElement && field.closest("[data-editor]") && field.name === "turn") writePosition();
});
document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-action='png']") : null;
  const address = button?.getAttribute("data-picture");
  if (address) void savePng(address);
});
