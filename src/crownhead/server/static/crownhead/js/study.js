// On the analysis board: whoever leaves it wants no more of the engine's work.
// @ts-check

addEventListener("pagehide", () => {
  for (const form of document.querySelectorAll("form[data-study]")) {
    if (form instanceof HTMLFormElement) navigator.sendBeacon(form.action, new FormData(form));
  }
});
