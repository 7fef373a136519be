// Parts of a page behind tabs: links that work by themselves, and show their part at once where there is JavaScript.
// @ts-check

/** The tab that was chosen on this page. */
let chosen = "";

/** @param {string} name */
function show(name) {
  const panels = [...document.querySelectorAll("main [data-panel]")];
  if (!panels.some((panel) => panel.getAttribute("data-panel") === name)) return;
  for (const panel of panels) panel.toggleAttribute("hidden", panel.getAttribute("data-panel") !== name);
  for (const tab of document.querySelectorAll("main [data-tab]")) {
    if (tab.getAttribute("data-tab") === name) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
  toTheFoot();
  noteWhatIsRead();
}

/** What was said last is at the foot of the list. */
function toTheFoot() {
  for (const list of document.querySelectorAll("main [data-foot]")) list.scrollTop = list.scrollHeight;
}

/** How many lines of others there are, and where it is kept how many were read. */
function lines() {
  const list = document.querySelector("main [data-panel='chat'] [data-count]");
  return { count: Number(list?.getAttribute("data-count") ?? 0), key: `chat:${document.querySelector("[data-game]")?.getAttribute("data-game")}` };
}

/** A tab is marked while it holds something that was not read. */
function noteWhatIsRead() {
  const mark = document.querySelector("main [data-tab='chat'] .fresh");
  if (!mark) return;
  const { count, key } = lines();
  try {
    if (mark.closest("[aria-current]")) localStorage.setItem(key, String(count));
    mark.toggleAttribute("hidden", count <= Number(localStorage.getItem(key) ?? 0));
  } catch {
    // storage is switched off: nothing is marked
  }
}

/** The lines that were there when the page was last looked at. */
let heard = lines().count;

/** Read out what was said since. */
function announce() {
  const { count } = lines();
  const said = document.querySelectorAll("main [data-panel='chat'] li:not([data-mine])");
  const announcer = document.querySelector("[data-announcer]");
  if (announcer && count > heard) announcer.textContent = said[said.length - 1]?.textContent ?? "";
  heard = count;
}

document.addEventListener("click", (event) => {
  const tab = event.target instanceof Element ? event.target.closest("main a[data-tab]") : null;
  if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  chosen = tab.getAttribute("data-tab") ?? "";
  show(chosen);
});

document.addEventListener("htmx:afterSwap", () => {
  if (chosen) show(chosen);
  toTheFoot();
  noteWhatIsRead();
  announce();
});
toTheFoot();
noteWhatIsRead();
