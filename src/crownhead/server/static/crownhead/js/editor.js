// The editor's page: what is put on the board goes into its fields and its address, and the server is asked for its
// judgement.
// @ts-check

import { CheckersBoard } from "./board/element.js";
import { written } from "./board/fen.js";

const PAUSE = 120; // milliseconds of quiet before the server is asked
const WIDTH = 1024; // pixels of a PNG

/** @type {ReturnType<typeof setTimeout> | undefined} */
let pending;
/** @type {AbortController | undefined} */
let asking;

/** @returns {{page: Element, board: CheckersBoard} | undefined} */
function open() {
  const page = document.querySelector("[data-editor]");
  const board = page?.querySelector("checkers-board");
  return page && board instanceof CheckersBoard ? { page, board } : undefined;
}

/** @param {Element} page @param {string} name */
function chosen(page, name) {
  const field = page.querySelector(`input[name="${name}"]:checked`);
  return field instanceof HTMLInputElement ? field.value : "";
}

function takeBrush() {
  const here = open();
  if (here) here.board.brush = chosen(here.page, "put");
}

/** The fields and the address say what is on the board. */
function follow() {
  const here = open();
  if (!here) return;
  const { page, board } = here;
  const names = new Map(board.squares.map((square) => [square.number, square.name]));
  const turn = chosen(page, "turn") === "black" ? "black" : "white";
  const fen = written(turn, board.pieces, (square) => names.get(square) ?? "", board.data.runs);
  for (const field of page.querySelectorAll("[data-fen]")) if (field instanceof HTMLInputElement) field.value = fen;
  page.querySelector("[data-copy]")?.setAttribute("data-copy", fen);
  const address = new URL(location.pathname, location.href);
  const variant = page.querySelector("input[name='variant']");
  if (variant instanceof HTMLInputElement) address.searchParams.set("variant", variant.value);
  address.searchParams.set("fen", fen);
  if (board.bottom === "black") address.searchParams.set("flip", "1");
  history.replaceState(history.state, "", address);
  page.querySelector("[data-link]")?.setAttribute("data-link", address.href);
  clearTimeout(pending);
  pending = setTimeout(() => void judge(address), PAUSE);
}

/** @param {URL} address */
async function judge(address) {
  asking?.abort();
  asking = new AbortController();
  try {
    const answer = await fetch(address, { headers: { "HX-Request": "true" }, signal: asking.signal });
    const verdict = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-verdict]");
    const here = open();
    if (!verdict || !here) return;
    const place = here.page.querySelector("[data-verdict]");
    place?.replaceChildren(...verdict.childNodes);
    const faults = verdict.getAttribute("data-faults") ?? "";
    here.board.showFaults(faults.split(",").filter(Boolean).map(Number));
  } catch {
    // asked anew meanwhile, or offline: what is on the board is in the fields all the same
  }
}

/** Draw the picture that the server makes, and save it. @param {string} address */
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

document.addEventListener("board-edit", follow);
document.addEventListener("change", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement) || !field.closest("[data-editor]")) return;
  if (field.name === "put") takeBrush();
  if (field.name === "turn") follow();
});
document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-act='png']") : null;
  const address = button?.getAttribute("data-picture");
  if (address) void savePng(address);
});
takeBrush();
