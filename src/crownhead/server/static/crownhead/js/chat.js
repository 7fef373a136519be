// The chat: scrolls to the last message, marks unread ones, and announces new ones to screen readers.
// @ts-check

import { readStored, store } from "./browser_storage.js";

/** Scroll every list to its last message. */
function scrollToEnd() {
  for (const list of document.querySelectorAll("main [data-foot]")) list.scrollTop = list.scrollHeight;
}

/** How many messages of others there are, and the storage key for how many were read. */
function messages() {
  const list = document.querySelector("main [data-panel='chat'] [data-count]");
  return { count: Number(list?.getAttribute("data-count") ?? 0), key: `chat:${document.querySelector("[data-game]")?.getAttribute("data-game")}` };
}

/** Mark the tab while it has unread messages. */
function markUnread() {
  const mark = document.querySelector("main [data-tab='chat'] .unread-mark");
  if (!mark) return;
  const { count, key } = messages();
  if (mark.closest("[aria-current]")) store(key, count);
  const read = readStored(key);
  if (read !== undefined) mark.toggleAttribute("hidden", count <= Number(read)); // else nothing is marked as unread
}

/** The number of messages already announced. */
let announced = messages().count;

/** Announce the last new message. */
function announce() {
  const { count } = messages();
  const received = document.querySelectorAll("main [data-panel='chat'] li:not([data-mine])");
  const announcer = document.querySelector("[data-announcer]");
  if (announcer && count > announced) announcer.textContent = received[received.length - 1]?.textContent ?? "";
  announced = count;
}

function update() {
  scrollToEnd();
  markUnread();
}

document.addEventListener("tab-shown", update);
document.addEventListener("htmx:afterSwap", () => {
  update();
  announce();
});
update();
