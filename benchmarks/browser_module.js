// Measures the module for browsers: the JSON on the standard input names what, the answer is JSON.
// @ts-check

import { cpuUsage } from "node:process";
import { MODULE_URL } from "../src/crownhead/server/static/crownhead/js/rules/kernel.js";
import { Rules } from "../src/crownhead/server/static/crownhead/js/rules/rules.js";
import { Searcher } from "../src/crownhead/server/static/crownhead/js/rules/searching.js";

/** @typedef {import("../src/crownhead/server/static/crownhead/js/rules/rules.js").Row} Row */

const WARM = 2_500; // milliseconds

/** @type {{row: Row, weights: string, depth: number, nodes: number}} */
const { row, weights, depth, nodes } = JSON.parse(await new Response(Deno.stdin.readable).text());
const bytes = Deno.readFileSync(MODULE_URL);
const began = performance.now();
const module = new WebAssembly.Module(bytes);
const compiled = performance.now();
const given = Uint8Array.from(atob(weights), (letter) => letter.charCodeAt(0)).buffer;
const start = new Rules(module, row).start();
const searcher = new Searcher(module, row, { weights: given });
searcher.search([start.bytes], { depth: 6 });
const moved = performance.now();

/** Processor time, for other programs may run. @param {() => number} act */
function perSecond(act) {
  const from = cpuUsage();
  const done = act();
  const { user, system } = cpuUsage(from);
  return done / (user + system) * 1e6;
}

// V8 compiles a function well once it has run for a while, on another thread whose time would count too.
for (const until = performance.now() + WARM; performance.now() < until;) start.perft(depth - 1);
const perft = perSecond(() => start.perft(depth));
for (const until = performance.now() + WARM; performance.now() < until;) {
  searcher.forget();
  searcher.search([start.bytes], { nodes: nodes / 4 });
}
searcher.forget();
const searched = perSecond(() => searcher.search([start.bytes], { nodes }).nodes);
Deno.stdout.writeSync(new TextEncoder().encode(
  JSON.stringify({ compile: compiled - began, first: moved - compiled, perft, searched }),
));
