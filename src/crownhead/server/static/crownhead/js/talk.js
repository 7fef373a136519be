// What the players say: the last line in sight, a mark for what was not read, and a word for those who listen.
// @ts-check

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

function look() {
  toTheFoot();
  noteWhatIsRead();
}

document.addEventListener("tab-shown", look);
document.addEventListener("htmx:afterSwap", () => {
  look();
  announce();
});
look();
