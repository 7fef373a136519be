// What stands beside the board of a game against the computer: status, list of moves, buttons.
// @ts-check

import { addPly } from "../move_list.js";

/** What the page shows of a game. */
export class Table {
  /**
   * @param {Element} place
   * @param {boolean} startsLate
   */
  constructor(place, startsLate) {
    this.place = place;
    this.startsLate = startsLate;
  }

  /** @param {string} text @param {string} [sentence]  the last move */
  say(text, sentence = "") {
    this.#write("[data-status]", text);
    this.#write("[data-announce]", `${sentence} ${text}`.trim());
  }

  /** @param {string} text */
  hint(text) {
    this.#write("[data-hint]", text);
  }

  /** @param {number} ply @param {string} notation */
  add(ply, notation) {
    const list = this.place.querySelector("[data-list]");
    if (list) addPly(list, ply, notation, this.startsLate);
  }

  /** @param {readonly string[]} notations */
  list(notations) {
    this.place.querySelector("[data-list]")?.replaceChildren();
    notations.forEach((notation, at) => this.add(at + 1, notation));
  }

  /**
   * What can be done with the game now.
   * @param {{moves: readonly string[], isOver: boolean, mayClaim: boolean, level: number}} game
   */
  offer({ moves, isOver, mayClaim, level }) {
    this.#toggle("[data-claim]", mayClaim);
    this.#toggle("[data-carry]", !isOver);
    for (const button of this.place.querySelectorAll("[data-take-back], [data-carry] button")) {
      button.toggleAttribute("disabled", !moves.length); // and not hidden: nothing shifts when the first move is made
    }
    const analyse = this.place.querySelector("a[data-analyse]");
    if (analyse instanceof HTMLAnchorElement) {
      const address = new URL(analyse.href);
      address.searchParams.set("moves", moves.join(" "));
      analyse.href = address.href;
    }
    for (const field of this.place.querySelectorAll("[data-carry] input")) {
      if (!(field instanceof HTMLInputElement)) continue;
      if (field.name === "moves") field.value = moves.join(" ");
      if (field.name === "level") field.value = String(level);
    }
  }

  /** @param {string} selector @param {boolean} isShown */
  #toggle(selector, isShown) {
    this.place.querySelector(selector)?.toggleAttribute("hidden", !isShown);
  }

  /** @param {string} selector @param {string} text */
  #write(selector, text) {
    const element = this.place.querySelector(selector);
    if (element && element.textContent !== text) element.textContent = text;
  }
}
