// Tabs: links that work without JavaScript, and here switch panels without loading a page.
// @ts-check

/** The tab named by the address, or chosen on this page. */
let chosen = document.querySelector("main [data-tab][aria-current]")?.getAttribute("data-tab") ?? "";

/** @param {string} name */
function show(name) {
  const panels = [...document.querySelectorAll("main [data-panel]")];
  if (!panels.some((panel) => panel.getAttribute("data-panel") === name)) return;
  for (const panel of panels) panel.toggleAttribute("hidden", panel.getAttribute("data-panel") !== name);
  for (const tab of document.querySelectorAll("main [data-tab]")) {
    if (tab.getAttribute("data-tab") === name) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
  document.dispatchEvent(new CustomEvent("tab-shown"));
}

document.addEventListener("click", (event) => {
  const tab = event.target instanceof Element ? event.target.closest("main a[data-tab]") : null;
  if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  chosen = tab.getAttribute("data-tab") ?? "";
  show(chosen);
  if (!tab.closest(".tabs")) document.querySelector(`main [data-panel="${chosen}"]`)?.scrollIntoView({ block: "center" });
});

document.addEventListener("htmx:afterSwap", () => {
  if (chosen) show(chosen);
});
