// Push messages on this device, and the installation of the club, on the page of what one is told.
// @ts-check

const part = document.querySelector("[data-push-key]");
const said = part?.querySelector("[data-push-said]");
const on = part?.querySelector("[data-push='on']");
const off = part?.querySelector("[data-push='off']");

/** Say one of the sentences that the page brought along. @param {string} name */
function say(name) {
  if (said) said.textContent = name ? (said.getAttribute(`data-${name}`) ?? "") : "";
}

/** Which of the two buttons is of use now. @param {boolean | undefined} subscribed */
function offer(subscribed) {
  on?.toggleAttribute("hidden", subscribed !== false);
  off?.toggleAttribute("hidden", subscribed !== true);
}

/** @param {string} method @param {object} body */
async function tell(method, body) {
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

/** The club's public key as the browser wants it. */
function key() {
  const text = (part?.getAttribute("data-push-key") ?? "").replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(text), (character) => character.codePointAt(0) ?? 0);
}

/** What people call this browser, so that they know it again in the list. */
function name() {
  const brands = /** @type {any} */ (navigator).userAgentData?.brands ?? [];
  const brand = brands.find((/** @type {any} */ one) => !/not|chromium/iu.test(one.brand))?.brand;
  const browser = brand ?? /firefox|edg|chrome|safari/iu.exec(navigator.userAgent)?.[0] ?? "";
  const system = /** @type {any} */ (navigator).userAgentData?.platform ?? /android|iphone|ipad|windows|mac|linux/iu.exec(navigator.userAgent)?.[0] ?? "";
  return [browser, system].filter(Boolean).join(", ").slice(0, 60);
}

async function subscribe() {
  say("");
  if ((await Notification.requestPermission()) !== "granted") {
    say("denied");
    return;
  }
  try {
    const worker = await navigator.serviceWorker.ready;
    const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key() });
    await tell("POST", { ...made.toJSON(), name: name() });
    location.reload();
  } catch {
    say("failed");
  }
}

async function unsubscribe() {
  say("");
  try {
    const worker = await navigator.serviceWorker.ready;
    const made = await worker.pushManager.getSubscription();
    if (made) {
      await tell("DELETE", { endpoint: made.endpoint });
      await made.unsubscribe();
    }
    location.reload();
  } catch {
    say("failed");
  }
}

async function begin() {
  if (!globalThis.isSecureContext) return say("safe");
  if (!("serviceWorker" in navigator) || !("PushManager" in globalThis) || !("Notification" in globalThis)) {
    return say(/iphone|ipad/iu.test(navigator.userAgent) ? "install" : "no");
  }
  if (Notification.permission === "denied") return say("denied");
  const worker = await navigator.serviceWorker.ready;
  const made = await worker.pushManager.getSubscription();
  offer(Boolean(made));
  if (made) await tell("POST", { ...made.toJSON(), name: name() }).catch(() => undefined); // it may be another one by now
}

on?.addEventListener("click", () => void subscribe());
off?.addEventListener("click", () => void unsubscribe());
if (part) void begin();

/** @type {any} */
let offered;
const install = document.querySelector("[data-install]");
const button = install?.querySelector("[data-install-now]");

function installed() {
  button?.setAttribute("hidden", "");
  install?.querySelector("[data-install-how]")?.setAttribute("hidden", "");
  install?.querySelector("[data-installed]")?.removeAttribute("hidden");
}

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  offered = event;
  button?.removeAttribute("hidden");
  install?.querySelector("[data-install-how]")?.setAttribute("hidden", "");
});
addEventListener("appinstalled", installed);
button?.addEventListener("click", () => void offered?.prompt());
if (matchMedia("(display-mode: standalone)").matches) installed();
