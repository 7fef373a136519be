// Tells moments in the time of this device, or of the zone that the member chose. It runs before the page is first
// painted, and before new content is.
// @ts-check

/** The member's zone, if he chose one and this browser has heard of it. */
function chosenZone() {
  const timeZone = document.documentElement.dataset.timeZone || undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone }) && timeZone;
  } catch {
    return undefined;
  }
}

function localise() {
  const language = document.documentElement.lang;
  const timeZone = chosenZone();
  for (const time of document.querySelectorAll("time[data-local]")) {
    const moment = new Date(time.getAttribute("datetime") ?? "");
    if (!Number.isNaN(moment.getTime())) time.textContent = moment.toLocaleString(language, { dateStyle: "medium", timeStyle: "short", timeZone });
  }
}

document.addEventListener("htmx:afterSwap", localise);
localise();
