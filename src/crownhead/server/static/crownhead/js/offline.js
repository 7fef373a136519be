// On the offline page: loads the page that was asked for as soon as there is a connection.
// @ts-check

const INTERVAL = 15_000; // milliseconds

async function retry() {
  try {
    const answer = await fetch("/health", { cache: "no-store" });
    if (answer.ok) location.reload();
  } catch {
    // still offline: tried again later
  }
}

globalThis.addEventListener("online", retry);
setInterval(retry, INTERVAL);
document.querySelector("[data-again]")?.addEventListener("click", (event) => {
  event.preventDefault();
  location.reload();
});
