// On the analysis board: whoever leaves it wants no more of the engine's work.
// @ts-check

addEventListener("pagehide", () => {
  for (const form of document.querySelectorAll("form[data-study]")) {
    if (!(form instanceof HTMLFormElement)) continue;
    const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    // As text: a body of parts may come too late to be sent.
    navigator.sendBeacon(form.action, new URLSearchParams(fields));
  }
});
