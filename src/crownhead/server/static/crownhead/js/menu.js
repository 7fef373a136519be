// The menu's lists, and the message to a rematch, open and close without JavaScript; here they also close when the focus
// goes elsewhere, as panels do.
// @ts-check

/** @returns {NodeListOf<HTMLDetailsElement>} */
const openLists = () => document.querySelectorAll("[data-menu] details[open]");

const A_MOMENT = 100; // milliseconds in which a panel is painted; its pictures, which are drawn slowly, come then

/** Show a panel; no modal one, for which a browser styles the whole page again. @param {string} name */
export function showPanel(name) {
  const panel = document.querySelector(`dialog[data-dialog="${CSS.escape(name)}"]:not(:popover-open)`);
  if (!(panel instanceof HTMLElement)) return;
  panel.showPopover();
  setTimeout(() => panel.toggleAttribute("data-drawn", true), A_MOMENT);
}

/** Close all lists and panels except one that contains `target`. @param {EventTarget | null} target */
function close(target = null) {
  const isLeft = (/** @type {Element} */ one) => !(target instanceof Node && one.contains(target));
  for (const list of openLists()) if (isLeft(list)) list.open = false;
  /** @type {HTMLElement | null} */
  const panel = document.querySelector("dialog:popover-open");
  if (panel && isLeft(panel)) panel.hidePopover();
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
