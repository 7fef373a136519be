// The club as an app: registers the service worker, and shows on the icon how many games wait.
// @ts-check

if ("serviceWorker" in navigator && globalThis.isSecureContext) {
  addEventListener("load", () => void navigator.serviceWorker.register("/sw.js").catch(() => undefined));
}

/** @param {number} count */
export async function showOnIcon(count) {
  if (!("setAppBadge" in navigator)) return;
  try {
    await (count ? navigator.setAppBadge(count) : navigator.clearAppBadge());
  } catch {
    // not installed, or forbidden: the menu shows the number
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form instanceof HTMLFormElement && form.action.endsWith("/logout/")) {
    navigator.serviceWorker?.controller?.postMessage("leave");
  }
});

/** The number that the menu shows, whenever it changes. */
function follow() {
  const number = document.querySelector("[data-badge='on_turn'] b");
  if (!number) return;
  const show = () => void showOnIcon(Number(number.textContent));
  new MutationObserver(show).observe(number, { childList: true, characterData: true, subtree: true });
  show();
}

follow();
