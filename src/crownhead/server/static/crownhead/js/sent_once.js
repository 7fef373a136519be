// A form that leads to another page is sent once, though its button is clicked twice or Enter is held down. The button
// stays as it is: a disabled one would lose the focus, and its name would not be sent.
// @ts-check

const AGAIN = 5000; // milliseconds after which a form may be sent again on a page that is still there

/** @type {WeakSet<HTMLFormElement>} */
let sent = new WeakSet();
let stays = 0; // from when on this page has stayed after all, though a form was sent that leads to another

/** Milliseconds until this page has stayed after all, negative if no other is on its way. */
export const untilItStays = () => stays - performance.now();

// Of the window: by then whatever sends the form without leaving the page has prevented it.
globalThis.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.getAttribute("method") !== "post") return;
  if (sent.has(form)) {
    event.preventDefault();
    return;
  }
  sent.add(form);
  stays = performance.now() + AGAIN;
  setTimeout(() => sent.delete(form), AGAIN);
});
// The page may come back as it was left.
globalThis.addEventListener("pageshow", () => {
  sent = new WeakSet();
  stays = 0;
});
