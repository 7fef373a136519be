// Tells moments in the time of this device, or of the zone that the member chose. It runs before the page is first
// painted, and before new content is.
// @ts-check

function localise() {
  const { lang: language, dataset } = document.documentElement;
  const timeZone = dataset.timeZone || undefined;
  for (const time of document.querySelectorAll("time[data-local]")) {
    const moment = new Date(time.getAttribute("datetime") ?? "");
    if (!Number.isNaN(moment.getTime())) time.textContent = moment.toLocaleString(language, { dateStyle: "medium", timeStyle: "short", timeZone });
  }
}

document.addEventListener("htmx:afterSwap", localise);
localise();
