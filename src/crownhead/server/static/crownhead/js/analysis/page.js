// What stands around the board of an analysis: the address, forms and links, status, moves and buttons follow the
// position that is shown.
// @ts-check

import { phrase } from "../board/labels.js";
import { setting } from "../board/settings.js";
import { renameSquares, squareRenamer } from "../board/square_names.js";
import { readStored, store } from "../browser_storage.js";
import { listMoves } from "./move_list.js";
import { splitRecord, writeMoves, writeRecord } from "./record.js";

/** @typedef {import("./tree.js").Node} Node */

/**
 * What the page hands over, see `presenters/analysis_data.py`.
 * @typedef {import("./session.js").Terms & {variant: string, fen: string, address: string, module: string, api: string,
 *   openings: string, guard: string, startsLate: boolean, tags: [string, string][], gameTypes: Record<string, string>}} About
 */

/** @typedef {import("./session.js").Session<About>} Session */

/** The key under which this tab keeps the tree of a start position. @param {string} variant @param {string} fen */
const storageKey = (variant, fen) => `analysis:${variant}:${fen}`;

/** The moves of the tree that this tab has kept over a reload. @param {About} about @returns {string} */
export function keptMoves({ variant, fen }) {
  const kept = readStored(storageKey(variant, fen), "sessionStorage");
  return typeof kept === "string" ? kept : "";
}

/** The parts of the page that follow a session. */
export class AnalysisPage {
  /** The names of openings by FEN; until they are here, what the server has written stays. @type {Record<string, string> | undefined} */
  #openings;

  /** @param {Element} page @param {Session} session */
  constructor(page, session) {
    this.page = page;
    this.session = session;
    if (session.about.openings) void this.#fetchOpenings(session.about.openings);
  }

  /** The address of a position of the tree. @param {Node} node */
  addressOf(node) {
    const { about, isTurned } = this.session;
    const address = new URL(about.address, location.href);
    const moves = node.path.slice(1).map(({ notation }) => notation).join(" ");
    const against = new URL(location.href).searchParams.get("against") ?? "";
    for (const [name, value] of Object.entries({ variant: about.variant, fen: about.fen, moves, flip: isTurned ? "1" : "", against })) {
      if (value) address.searchParams.set(name, value);
    }
    return address.pathname + address.search;
  }

  /** Show the position of the board in every part. */
  show() {
    const { session, page } = this;
    const { node, board, about } = session;
    const address = this.addressOf(node);
    const study = page.querySelector(".findings")?.getAttribute("data-found"); // what the club's engine says of this position
    history.replaceState(history.state, "", study ? `${address}&study=${study}` : address);
    const fields = { moves: node.path.slice(1).map(({ notation }) => notation).join(" "), flip: new URL(address, location.href).searchParams.get("flip") ?? "" };
    for (const [name, value] of Object.entries(fields)) {
      for (const field of page.querySelectorAll(`form:not(.setup) input[name="${name}"]`)) if (field instanceof HTMLInputElement) field.value = value;
    }
    const fen = node.position.fen();
    page.querySelector("[data-copy]")?.setAttribute("data-copy", fen);
    page.querySelector("[data-link]")?.setAttribute("data-link", address);
    for (const form of page.querySelectorAll("[data-while-playing]")) form.toggleAttribute("hidden", Boolean(node.position.outcome()));
    this.#showStatus(node);
    const list = page.querySelector("[data-tree]");
    if (list) {
      const { startsLate } = about;
      listMoves(list, session.tree, { shown: node, startsLate, addressOf: (one) => this.addressOf(one), variations: about.texts.variations });
      renameSquares(page, squareRenamer(board.squares, setting("names")));
      page.querySelector(".moves")?.toggleAttribute("data-empty", !session.tree.root.children.length);
    }
    for (const [name, isPossible] of Object.entries({ back: node.parent, again: session.tree.root.children.length, promote: node.isVariation, remove: node.parent })) {
      for (const button of page.querySelectorAll(`[data-tree-action="${name}"]`)) button.toggleAttribute("hidden", !isPossible);
    }
    store(storageKey(about.variant, about.fen), writeMoves(session.tree, about.startsLate).join(" "), "sessionStorage");
  }

  /** Take what a text holds: a FEN, or a record in PDN. @param {string} text @returns {string} what there is to say of it */
  read(text) {
    const { about } = this.session;
    const { tags, moves } = splitRecord(text.trim());
    const fen = /^[BW]:/i.test(moves.trim()) ? moves.trim() : (tags.get("FEN") ?? "");
    const variant = this.#variantOf(tags);
    const record = fen === moves.trim() ? "" : moves;
    if (variant === about.variant && this.#isHere(fen)) {
      const refused = this.session.read(record);
      return refused ? phrase(about.texts, "refused", { move: refused }) : "";
    }
    store(storageKey(variant, fen), record, "sessionStorage"); // else the position comes without its moves
    const address = new URL(about.address, location.href);
    address.searchParams.set("variant", variant);
    if (fen) address.searchParams.set("fen", fen);
    location.assign(address);
    return "";
  }

  /** The analysis as PDN. */
  write() {
    const { tree, about } = this.session;
    return writeRecord(tree, { tags: about.tags, startsLate: about.startsLate });
  }

  /** @param {string} fen  nothing: that of the variant */
  #isHere(fen) {
    const { about, rules, tree } = this.session;
    try {
      const start = fen ? rules.position(fen) : rules.start();
      return start.fen() === tree.root.position.fen() && Boolean(fen) === Boolean(about.fen);
    } catch {
      return false; // the server says what is wrong
    }
  }

  /** @param {Map<string, string>} tags */
  #variantOf(tags) {
    const { about } = this.session;
    const [number] = (tags.get("GameType") ?? "").split(",");
    const named = tags.get("Variant")?.toLowerCase() ?? "";
    const own = about.tags.find(([name]) => name === "GameType")?.[1] ?? "";
    if (Object.values(about.gameTypes).includes(named)) return named;
    if (!number || number === own.split(",")[0]) return about.variant;
    return about.gameTypes[number.trim()] ?? about.variant;
  }

  /** @param {Node} node */
  #showStatus(node) {
    const { texts } = this.session.about;
    const outcome = node.position.outcome();
    const status = texts[outcome ? `${outcome.winner}:${outcome.termination}` : `turn:${node.position.turn}`] ?? "";
    const line = this.page.querySelector(".status strong");
    if (line) line.textContent = status;
    const announced = this.page.querySelector("[data-announce]");
    if (announced) announced.textContent = [this.session.board.sentence(node.ply), status].join(" ");
    const opening = this.page.querySelector("[data-opening]");
    const names = this.#openings;
    const known = node.path.reverse().find(({ position }) => names?.[position.fen()]);
    if (opening && names) opening.textContent = known ? names[known.position.fen()] : "";
  }

  /** @param {string} address */
  async #fetchOpenings(address) {
    const answer = await fetch(address).catch(() => undefined);
    if (!answer?.ok) return;
    this.#openings = await answer.json();
    this.#showStatus(this.session.node);
  }
}
