// Dresses the boards as this device wants them before the page is first painted, so that nothing shifts or flashes.
// A member's page says already how he wants them on every device.
// @ts-check

try {
  const member = document.documentElement.hasAttribute("data-preferences");
  const kept = member ? {} : JSON.parse(localStorage.getItem("crownhead:board") ?? "{}");
  for (const [name, value] of Object.entries(kept)) {
    if (/^[a-z]+$/u.test(`${name}${value}`)) document.documentElement.setAttribute(`data-${name}`, String(value));
  }
} catch {
  // storage is switched off, or holds what somebody else wrote: boards look as they always do
}
