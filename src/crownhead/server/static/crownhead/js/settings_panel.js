// The panel of board settings: shows the current choices, and stores new ones.
// @ts-check

import { choose, isSetting, setting } from "./board/settings.js";

/** @param {ParentNode} root */
function fill(root) {
  for (const field of root.querySelectorAll("[data-settings] input")) {
    if (field instanceof HTMLInputElement && isSetting(field.name)) field.checked = field.value === setting(field.name);
  }
}

document.addEventListener("change", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement) || !field.closest("[data-settings]")) return;
  if (isSetting(field.name)) choose(field.name, field.value);
});

document.addEventListener("htmx:afterSwap", () => fill(document));
fill(document);
