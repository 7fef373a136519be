// All that a page needs of the rules and the engine, by one address.
// @ts-check

export { Engine } from "./engine.js";
export { Game } from "./game.js";
export { Rules } from "./rules.js";
