// Search fields that filter the list they belong to.
// @ts-check

import { containsWords } from "./text_match.js";

/**
 * Show what matches, hide the rest; groups with a match are opened while there are words.
 * @param {HTMLInputElement} field
 */
function applyFilter(field) {
  const scope = field.closest("fieldset, form, main");
  const selector = field.getAttribute("data-find");
  if (!scope || !selector) return;
  let matching = 0;
  for (const part of scope.querySelectorAll(selector)) {
    const matches = containsWords(part.textContent ?? "", field.value);
    part.toggleAttribute("hidden", !matches);
    if (part instanceof HTMLDetailsElement) part.open = matches && (field.value.trim() !== "" || part.querySelector(":checked") !== null);
    else matching += Number(matches);
  }
  scope.querySelector("[data-no-match]")?.toggleAttribute("hidden", matching > 0);
}

document.addEventListener("input", (event) => {
  if (event.target instanceof HTMLInputElement && event.target.matches("[data-find]")) applyFilter(event.target);
});

document.addEventListener("keydown", (event) => {
  const field = event.target;
  // Enter would submit the form around the field.
  if (event.key === "Enter" && field instanceof HTMLInputElement && field.matches("[data-find]")) event.preventDefault();
});

// Typing is no choice: the form around the field is not to be loaded again.
document.addEventListener("change", (event) => {
  if (event.target instanceof HTMLInputElement && event.target.matches("[data-find]")) event.stopPropagation();
}, true);
