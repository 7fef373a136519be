// The panel of board settings: shows the current choices, and stores new ones. A form with `data-shows-choices`, which
// is sent to be stored, shows beforehand what the page will look like.
// @ts-check

import { choose, isSetting, setting, show } from "./board/settings.js";
import { readStored, store } from "./browser_storage.js";

/** @param {ParentNode} root */
function fill(root) {
  for (const field of root.querySelectorAll("[data-settings] input")) {
    if (field instanceof HTMLInputElement && isSetting(field.name)) field.checked = field.value === setting(field.name);
  }
}

document.addEventListener("change", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement) || !isSetting(field.name)) return;
  if (field.closest("[data-settings]")) choose(field.name, field.value);
  else if (field.closest("form[data-shows-choices]")) show(field.name, field.value);
});

/** What draws the pieces of other sets than that of the page. */
const sets = async () => await import("./piece_sets.js");

/** Draw the chosen pieces, unless they can't be fetched. */
function drawPieces() {
  sets().then((module) => module.drawPieces(() => setting("pieces"), { readStored, store })).catch(() => undefined);
}

document.addEventListener("board-setting", (event) => {
  if (event instanceof CustomEvent && event.detail.name === "pieces") drawPieces();
});
document.addEventListener("htmx:afterSwap", () => fill(document));
fill(document);
if (document.documentElement.hasAttribute("data-pieces")) drawPieces();
