// The menu's lists, and the message to a rematch, open and close without JavaScript; here they also close when the focus
// goes elsewhere.
// @ts-check

/** @returns {NodeListOf<HTMLDetailsElement>} */
const openLists = () => document.querySelectorAll("[data-menu] details[open]");

/** Close all lists except one that contains `target`. @param {EventTarget | null} target */
function close(target = null) {
  for (const list of openLists()) if (!(target instanceof Node && list.contains(target))) list.open = false;
}

document.addEventListener("click", (event) => close(event.target));
document.addEventListener("focusin", (event) => close(event.target));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  for (const list of openLists()) {
    if (list.contains(document.activeElement)) list.querySelector("summary")?.focus();
    list.open = false;
  }
});
// A page restored from the back-forward cache still has the list open whose link was followed.
globalThis.addEventListener("pageshow", (event) => event instanceof PageTransitionEvent && event.persisted && close());
