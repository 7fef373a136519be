// The analysis board's page: stops the engine when the page is left.
// @ts-check

addEventListener("pagehide", () => {
  for (const form of document.querySelectorAll("form[data-study]")) {
    if (!(form instanceof HTMLFormElement)) continue;
    const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    // URL-encoded: a multipart body may not be sent in time.
    navigator.sendBeacon(form.action, new URLSearchParams(fields));
  }
});
