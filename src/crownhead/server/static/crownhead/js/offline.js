// On the page that stands in for others: goes back to the one that was wanted as soon as there is a connection.
// @ts-check

const EVERY = 15_000; // milliseconds

async function again() {
  try {
    const answer = await fetch("/health", { cache: "no-store" });
    if (answer.ok) location.reload();
  } catch {
    // still none: asked again in a while
  }
}

globalThis.addEventListener("online", again);
setInterval(again, EVERY);
document.querySelector("[data-again]")?.addEventListener("click", (event) => {
  event.preventDefault();
  location.reload();
});
