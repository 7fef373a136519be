// Who reads a page.
// @ts-check

/** The key of the account of who reads a page, which stays when its name is changed; nothing for a guest. @param {ParentNode} page */
export const readerOf = (page) => page.querySelector("[data-reader]")?.getAttribute("data-reader") ?? "";

/** The name of who reads a page; nothing for a guest. @param {ParentNode} page */
export const nameOf = (page) => page.querySelector("[data-reader]")?.textContent ?? "";
