// Applies the board settings stored on this device before the page is first painted, so that nothing shifts or flashes.
// A member's page already carries their settings, but for size and pieces, which belong to the device.
// @ts-check

try {
  const member = document.documentElement.hasAttribute("data-preferences");
  const stored = JSON.parse(localStorage.getItem("crownhead:board") ?? "{}");
  for (const [name, value] of Object.entries(stored)) {
    if ((name === "size" || name === "pieces" || !member) && /^[a-z]+$/u.test(`${name}${value}`)) document.documentElement.setAttribute(`data-${name}`, String(value));
  }
  const { drawing } = JSON.parse(localStorage.getItem("crownhead:pieces") ?? "{}");
  if (/^<svg.+<\/svg>$/su.test(drawing)) {
    document.querySelector(".sprite > svg")?.replaceWith(new DOMParser().parseFromString(drawing, "image/svg+xml").documentElement);
  }
} catch {
  // storage is switched off, or holds something else: the defaults apply
}
