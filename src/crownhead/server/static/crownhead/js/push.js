// Push messages on this device, and the installation of the app, on the page of notification settings.
// @ts-check

import { decodeKey, deviceName } from "./device.js";

const part = document.querySelector("[data-push-key]");
const status = part?.querySelector("[data-push-status]");
const on = part?.querySelector("[data-push='on']");
const off = part?.querySelector("[data-push='off']");

/** Show one of the messages that the page has brought along. @param {string} name */
function showStatus(name) {
  if (status) status.textContent = name ? (status.getAttribute(`data-${name}`) ?? "") : "";
}

/** Show the button that is of use now. @param {boolean | undefined} subscribed */
function showButton(subscribed) {
  on?.toggleAttribute("hidden", subscribed !== false);
  off?.toggleAttribute("hidden", subscribed !== true);
}

/** @param {string} method @param {object} body */
async function send(method, body) {
  const token = document.querySelector("input[name='csrfmiddlewaretoken']");
  const answer = await fetch(part?.getAttribute("data-push-address") ?? "", {
    method,
    body: JSON.stringify(body),
    headers: {
      "Content-Type": "application/json",
      "X-CSRFToken": token instanceof HTMLInputElement ? token.value : "",
    },
  });
  if (!answer.ok) throw new Error(String(answer.status));
}

const name = () => deviceName(/** @type {import("./device.js").Agent} */ (navigator));

async function subscribe() {
  showStatus("");
  if ((await Notification.requestPermission()) !== "granted") {
    showStatus("denied");
    return;
  }
  try {
    const worker = await navigator.serviceWorker.ready;
    const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: decodeKey(part?.getAttribute("data-push-key") ?? "") });
    await send("POST", { ...subscription.toJSON(), name: name() });
    location.reload();
  } catch {
    showStatus("failed");
  }
}

async function unsubscribe() {
  showStatus("");
  try {
    const worker = await navigator.serviceWorker.ready;
    const subscription = await worker.pushManager.getSubscription();
    if (subscription) {
      await send("DELETE", { endpoint: subscription.endpoint });
      await subscription.unsubscribe();
    }
    location.reload();
  } catch {
    showStatus("failed");
  }
}

async function start() {
  if (!globalThis.isSecureContext) return showStatus("safe");
  if (!("serviceWorker" in navigator) || !("PushManager" in globalThis) || !("Notification" in globalThis)) {
    return showStatus(/iphone|ipad/iu.test(navigator.userAgent) ? "install" : "no");
  }
  if (Notification.permission === "denied") return showStatus("denied");
  const worker = await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.getSubscription();
  showButton(Boolean(subscription));
  if (subscription) await send("POST", { ...subscription.toJSON(), name: name() }).catch(() => undefined); // the subscription may have changed
}

on?.addEventListener("click", () => void subscribe());
off?.addEventListener("click", () => void unsubscribe());
if (part) void start();

/** The browser's offer to install, which TypeScript does not know. @type {Event & {prompt: () => Promise<void>} | undefined} */
let installPrompt;
const install = document.querySelector("[data-install]");
const button = install?.querySelector("[data-install-now]");

function showInstalled() {
  button?.setAttribute("hidden", "");
  install?.querySelector("[data-install-how]")?.setAttribute("hidden", "");
  install?.querySelector("[data-installed]")?.removeAttribute("hidden");
}

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  installPrompt = /** @type {Event & {prompt: () => Promise<void>}} */ (event);
  button?.removeAttribute("hidden");
  install?.querySelector("[data-install-how]")?.setAttribute("hidden", "");
});
addEventListener("appinstalled", showInstalled);
button?.addEventListener("click", () => void installPrompt?.prompt());
if (matchMedia("(display-mode: standalone)").matches) showInstalled();
