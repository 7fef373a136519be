// Wires the forms of passkeys to allauth's scripts, hides what this browser cannot do, says what went wrong.
// @ts-check

/** What allauth's functions take. @typedef {{ids: Record<string, string | undefined>, data: unknown}} Wiring */
/** @typedef {Record<"loginForm" | "authenticateForm" | "addForm", (wiring: Wiring) => void>} Forms */

const able = "PublicKeyCredential" in globalThis && globalThis.isSecureContext;
const { loginForm, authenticateForm, addForm } = /** @type {{allauth: {webauthn: {forms: Forms}}}} */ (/** @type {unknown} */ (globalThis)).allauth.webauthn.forms;

for (const part of document.querySelectorAll("[data-passkeys]")) part.toggleAttribute("hidden", !able);
for (const part of document.querySelectorAll("[data-no-passkeys]")) part.toggleAttribute("hidden", able);

/** What the server has prepared for the browser, where a page has it. */
function prepared() {
  return JSON.parse(document.getElementById("js_data")?.textContent ?? "{}");
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const button = /** @type {HTMLButtonElement | null} */ (form.querySelector("button[data-action]"));
  const credential = form.querySelector("input[name='credential']")?.id;
  const passwordless = form.querySelector("input[name='passwordless']")?.id;
  /** @type {Record<string, (wiring: Wiring) => void>} */
  const wirings = { login: loginForm, use: authenticateForm, add: addForm };
  const wire = wirings[form.getAttribute("data-passkey") ?? ""];
  const action = button?.id;
  wire?.({ ids: { login: action, authenticate: action, add: action, credential, passwordless }, data: prepared() });
  if (button) button.disabled = false; // a click before this would have been lost
}

document.addEventListener("allauth.error", (event) => {
  const { exception } = /** @type {CustomEvent} */ (event).detail;
  event.preventDefault();
  for (const place of document.querySelectorAll("[data-passkey-error]")) {
    const known = exception?.name === "InvalidStateError";
    place.textContent = place.getAttribute(known ? "data-known" : "data-failed");
    place.removeAttribute("hidden");
  }
});
