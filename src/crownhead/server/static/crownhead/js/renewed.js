// Renews the part of a page that shows what goes on in the club while somebody looks at it: by the server's word that
// nothing has changed more and more seldom, and not while the focus is inside.
// @ts-check

const FIRST = 5_000; // milliseconds until the page has come to stay, and its part may open a stream
const SOONEST = 15_000;
const LATEST = 120_000;
const UNCHANGED = 304;

let wait = FIRST;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

const part = () => document.querySelector("main [data-renewed]");

/** Ask a while from now, but pages that were opened together not together. */
function renewLater() {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(renew, wait * (0.8 + 0.4 * Math.random()));
}

function renew() {
  const shown = part();
  if (!shown || shown.matches(":focus-within")) renewLater();
  else shown.dispatchEvent(new CustomEvent("refresh", { bubbles: false }));
}

/** @param {Event} event */
const isOfPart = (event) => /** @type {CustomEvent} */ (event).detail.elt === part();

document.addEventListener("htmx:afterSwap", (event) => {
  if (!isOfPart(event)) return;
  const validator = /** @type {CustomEvent} */ (event).detail.xhr.getResponseHeader("ETag");
  part()?.setAttribute("hx-headers", JSON.stringify(validator ? { "If-None-Match": validator } : {}));
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (!isOfPart(event)) return;
  const isUnchanged = /** @type {CustomEvent} */ (event).detail.xhr.status === UNCHANGED;
  wait = isUnchanged ? Math.min(LATEST, Math.max(SOONEST, 2 * wait)) : SOONEST;
  renewLater();
});

document.addEventListener("visibilitychange", () => {
  wait = FIRST;
  renewLater();
});
renewLater();
