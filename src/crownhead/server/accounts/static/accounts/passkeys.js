// Shows what goes wrong with a passkey on the page, and hides what this browser cannot do.
// @ts-check

const able = "PublicKeyCredential" in globalThis && globalThis.isSecureContext;

for (const part of document.querySelectorAll("[data-passkeys]")) part.toggleAttribute("hidden", !able);
for (const part of document.querySelectorAll("[data-no-passkeys]")) part.toggleAttribute("hidden", able);

document.addEventListener("allauth.error", (event) => {
  const { exception } = /** @type {CustomEvent} */ (event).detail;
  event.preventDefault();
  for (const place of document.querySelectorAll("[data-passkey-error]")) {
    const known = place.getAttribute(`data-${exception?.name === "InvalidStateError" ? "known" : "failed"}`);
    place.textContent = known;
    place.removeAttribute("hidden");
  }
});
