// The lists of the menu open and close by themselves; here they also close when one turns to something else.
// @ts-check

/** @returns {NodeListOf<HTMLDetailsElement>} */
const open = () => document.querySelectorAll("[data-menu] details[open]");

/** Close all but what holds `kept`. @param {EventTarget | null} kept */
function close(kept = null) {
  for (const list of open()) if (!(kept instanceof Node && list.contains(kept))) list.open = false;
}

document.addEventListener("click", (event) => close(event.target));
document.addEventListener("focusin", (event) => close(event.target));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  for (const list of open()) {
    if (list.contains(document.activeElement)) list.querySelector("summary")?.focus();
    list.open = false;
  }
});
// A page that comes back from the browser's memory comes back as it was left: with the list open that led away.
globalThis.addEventListener("pageshow", (event) => event instanceof PageTransitionEvent && event.persisted && close());
