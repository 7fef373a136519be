// Who reads a page.
// @ts-check

/** The name of the member who reads a page; nothing for a guest. @param {ParentNode} page */
export const readerOf = (page) => page.querySelector("[data-menu] .username")?.textContent ?? "";
