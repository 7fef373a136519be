// A field that narrows what it points at to what has the written words in it.
// @ts-check

/**
 * Whether a text has all the words, wherever they are.
 * @param {string} text
 * @param {string} words
 */
export function fits(text, words) {
  const plain = (/** @type {string} */ said) => said.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const there = plain(text);
  return plain(words).split(/\s+/u).every((word) => there.includes(word));
}

/**
 * Show what fits, hide the rest; groups that hold something are opened while there are words.
 * @param {HTMLInputElement} field
 */
function narrow(field) {
  const scope = field.closest("fieldset, form, main");
  const selector = field.getAttribute("data-find");
  if (!scope || !selector) return;
  let found = 0;
  for (const part of scope.querySelectorAll(selector)) {
    const here = fits(part.textContent ?? "", field.value);
    part.toggleAttribute("hidden", !here);
    if (part instanceof HTMLDetailsElement) part.open = here && (field.value.trim() !== "" || part.querySelector(":checked") !== null);
    else found += Number(here);
  }
  scope.querySelector("[data-found-none]")?.toggleAttribute("hidden", found > 0);
}

document.addEventListener("input", (event) => {
  if (event.target instanceof HTMLInputElement && event.target.matches("[data-find]")) narrow(event.target);
});

document.addEventListener("keydown", (event) => {
  const field = event.target;
  // Enter would send the form that the field stands in.
  if (event.key === "Enter" && field instanceof HTMLInputElement && field.matches("[data-find]")) event.preventDefault();
});

// Typing is no choice: the form that the field stands in is not to be asked for anew.
document.addEventListener("change", (event) => {
  if (event.target instanceof HTMLInputElement && event.target.matches("[data-find]")) event.stopPropagation();
}, true);
