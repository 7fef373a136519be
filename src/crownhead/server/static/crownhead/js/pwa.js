// The installable app: registers the service worker, and shows on the app's icon how many games wait for a move.
// @ts-check

if ("serviceWorker" in navigator && globalThis.isSecureContext) {
  addEventListener("load", () => void navigator.serviceWorker.register("/sw.js").catch(() => undefined));
}

/** @param {number} count */
async function showIconBadge(count) {
  if (!("setAppBadge" in navigator)) return;
  try {
    await (count ? navigator.setAppBadge(count) : navigator.clearAppBadge());
  } catch {
    // not installed, or forbidden: the menu shows the number
  }
}

let hasLeft = false;

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form instanceof HTMLFormElement && form.action.endsWith("/logout/")) {
    hasLeft = true;
    sessionStorage.removeItem("crownhead:ahead"); // see for_offline.js
    navigator.serviceWorker?.controller?.postMessage("leave");
  }
});

// The answer to signing out has the browser forget all pages but this one, to which one can go back.
addEventListener("pageshow", (event) => {
  const { persisted } = /** @type {PageTransitionEvent} */ (event);
  if (persisted && hasLeft) location.reload();
});

/** Follow the number that the menu shows. */
function followBadge() {
  const number = document.querySelector("[data-badge='on_turn'] b");
  if (!number) return;
  const show = () => void showIconBadge(Number(number.textContent));
  new MutationObserver(show).observe(number, { childList: true, characterData: true, subtree: true });
  show();
}

/** The installed club has games, problems and the computer at hand, for times without a connection. */
async function keepAhead() {
  const home = document.querySelector("[data-ahead]");
  if (!home || !matchMedia("(display-mode: standalone)").matches || !("serviceWorker" in navigator)) return;
  const { keepAhead: keep } = await import(home.getAttribute("data-ahead") ?? ""); // which is not bundled
  await keep(home);
}

followBadge();
void keepAhead().catch(() => undefined);
