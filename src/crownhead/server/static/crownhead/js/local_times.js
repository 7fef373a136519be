// Shows times in the zone of this device, or in the one that the member chose. It runs before the page, and any new
// content, is painted. Who signs up or in tells the zone along, for mails.
// @ts-check

/** The zone that the member chose, if any, and if this browser knows it. */
function chosenZone() {
  const timeZone = document.documentElement.dataset.timeZone || undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone }) && timeZone;
  } catch {
    return undefined;
  }
}

function localise() {
  const { lang } = document.documentElement;
  const language = lang === "en" ? "en-GB" : lang; // the day first and 24 hours, as the server writes them
  const timeZone = chosenZone();
  for (const time of document.querySelectorAll("time[data-local]")) {
    const moment = new Date(time.getAttribute("datetime") ?? "");
    if (!Number.isNaN(moment.getTime())) time.textContent = moment.toLocaleString(language, { dateStyle: "medium", timeStyle: "short", timeZone });
  }
  for (const field of document.querySelectorAll('input[type="hidden"][name="time_zone"]')) {
    if (field instanceof HTMLInputElement) field.value = new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  }
}

for (const name of ["htmx:afterSwap", "game-moved"]) document.addEventListener(name, localise);
localise();
