// What push messages need to know of this device: a name for the list of devices, and the server's key as bytes.
// @ts-check

/**
 * The parts of `navigator` that name a browser; TypeScript does not know `userAgentData` yet.
 * @typedef {{userAgent: string, userAgentData?: {brands: {brand: string}[], platform: string}}} Agent
 */

const LONGEST = 60; // characters that the server takes

/**
 * What people call this browser, so that they recognise it in the list: `Firefox, Linux`.
 * @param {Agent} agent
 * @returns {string}
 */
export function deviceName({ userAgent, userAgentData }) {
  const brand = userAgentData?.brands.find((one) => !/not|chromium/iu.test(one.brand))?.brand;
  const browser = brand ?? /firefox|edg|chrome|safari/iu.exec(userAgent)?.[0] ?? "";
  const system = userAgentData?.platform ?? /android|iphone|ipad|windows|mac|linux/iu.exec(userAgent)?.[0] ?? "";
  return [browser, system].filter(Boolean).join(", ").slice(0, LONGEST);
}

/**
 * The server's public key as the browser wants it.
 * @param {string} text  in URL-safe base64
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function decodeKey(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.codePointAt(0) ?? 0);
}
