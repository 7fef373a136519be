// Answers a question about the rules and the engine of browsers: its name is the argument, its JSON the standard
// input; prints JSON.
// @ts-check

import { allRoutes } from "../../src/crownhead/server/static/crownhead/js/board_routes.js";
import { Game } from "../../src/crownhead/server/static/crownhead/js/rules/game.js";
import { MODULE_URL, PLAIN_URL } from "../../src/crownhead/server/static/crownhead/js/rules/kernel.js";
import { chooseMove, LEVELS } from "../../src/crownhead/server/static/crownhead/js/rules/levels.js";
import { whyNot } from "../../src/crownhead/server/static/crownhead/js/rules/reasons.js";
import { Rules } from "../../src/crownhead/server/static/crownhead/js/rules/rules.js";
import { Searcher } from "../../src/crownhead/server/static/crownhead/js/rules/searching.js";

/** @typedef {import("../../src/crownhead/server/static/crownhead/js/rules/rules.js").Row} Row */
/** @typedef {import("../../src/crownhead/server/static/crownhead/js/rules/searching.js").Limits} Limits */

const module = new WebAssembly.Module(Deno.readFileSync(Deno.args[1] === "plain" ? PLAIN_URL : MODULE_URL));

/** @param {string | undefined} encoded @returns {ArrayBuffer | undefined} */
const bytes = (encoded) => encoded ? Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0)).buffer : undefined;

const ANSWERS = {
  /** @param {{row: Row, counts: [string, number][]}[]} suites */
  perft: (suites) =>
    suites.map(({ row, counts }) => {
      const rules = new Rules(module, row);
      return counts.map(([fen, depth]) => [true, false].map((bulk) => rules.position(fen).perft(depth, bulk)));
    }),

  /**
   * What there is to say of each position of games: the last move's place among the legal ones leads to the next.
   * @param {{row: Row, games: number[][]}[]} variants
   */
  games: (variants) =>
    variants.map(({ row, games }) => {
      const rules = new Rules(module, row);
      return games.map((chosen) => {
        const game = new Game(rules.start());
        const seen = [described(game)];
        for (const place of chosen) {
          game.push(game.position.legalMoves()[place]);
          seen.push(described(game));
        }
        return seen;
      });
    }),

  /**
   * How games go whose moves follow from a seed: how many moves there are at each ply, the last position, the outcome.
   * @param {{row: Row, seeds: number[], longest: number}} question
   */
  courses: ({ row, seeds, longest }) => {
    const rules = new Rules(module, row);
    return seeds.map((seed) => {
      const game = new Game(rules.start());
      const counts = [];
      for (let dice = next(seed); !game.outcome() && counts.length < longest; dice = next(dice)) {
        const moves = game.position.legalMoves();
        counts.push(moves.length);
        game.push(moves[(dice >>> 8) % moves.length]);
      }
      return [counts, game.position.fen(), game.outcome()];
    });
  },

  /** @param {{row: Row, positions: [string, number[][]][]}[]} questions  each FEN with paths */
  reasons: (questions) =>
    questions.map(({ row, positions }) => {
      const rules = new Rules(module, row);
      return positions.map(([fen, paths]) => {
        const position = rules.position(fen);
        return paths.map((path) => whyNot(position, path) ?? null);
      });
    }),

  /** @param {{row: Row, fens: string[]}[]} questions */
  routes: (questions) =>
    questions.map(({ row, fens }) => {
      const rules = new Rules(module, row);
      return fens.map((fen) => allRoutes(rules.position(fen)).map(([{ path, captures, crowns }, at]) => [path, captures, crowns, at]));
    }),

  /** @param {{row: Row, fen: string, texts: string[]}[]} questions */
  texts: (questions) =>
    questions.map(({ row, fen, texts }) => {
      const position = new Rules(module, row).position(fen);
      return texts.map((text) => failing(() => position.parse(text).path));
    }),

  /** @param {{row: Row, fen: string}[]} questions */
  positions: (questions) =>
    questions.map(({ row, fen }) => {
      const rules = new Rules(module, row);
      const answer = failing(() => rules.position(fen).fen());
      rules.start().legalMoves(); // goes on, whatever has failed
      return answer;
    }),

  /** @param {{row: Row, fen: string, limits: Limits, weights?: string, tables?: string}[]} questions */
  searches: (questions) =>
    questions.map(({ row, fen, limits, weights, tables }) => {
      const { bytes: position } = new Rules(module, row).position(fen);
      const options = { megabytes: 4, weights: bytes(weights), tables: bytes(tables) };
      const { depth, nodes, lines, verdict } = new Searcher(module, row, options).search([position], limits);
      const moves = lines.map((line) => [line.score, line.moves.map(({ origin, target }) => [origin, target])]);
      return { depth, nodes, lines: moves, verdict };
    }),

  levels: () => LEVELS,

  /** @param {{row: Row, fen: string, level: number, times: number}} question */
  choices: async ({ row, fen, level, times }) => {
    const position = new Rules(module, row).position(fen);
    const searcher = new Searcher(module, row, { megabytes: 1 });
    const found = [];
    for (let time = 0; time < times; time++) {
      const dice = () => (time + 0.5) / times;
      const search = (/** @type {Limits} */ limits, /** @type {boolean} */ fresh) => {
        if (fresh) searcher.forget();
        return Promise.resolve(searcher.search([position.bytes], limits));
      };
      // deno-lint-ignore no-await-in-loop -- one engine, one search at a time
      found.push((await chooseMove(position, level, search, dice)).path);
    }
    return found;
  },
};

/** The next number of a course, as `random_games.py` has it. @param {number} dice */
const next = (dice) => (Math.imul(dice, 1_103_515_245) + 12_345) >>> 0;

/** @param {Game} game */
function described(game) {
  const { position } = game;
  return {
    fen: position.fen(),
    moves: position.legalMoves().map(({ path, captures, crowns }) => [path, captures, crowns]),
    notations: position.legalMoves().map((move) => position.notation(move)),
    ending: position.outcome(),
    outcome: game.outcome(),
    claimable: game.claimableDraws(),
  };
}

/**
 * @template Answer
 * @param {() => Answer} ask
 * @returns {Answer | {error: string, message: string}}
 */
function failing(ask) {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { error: error.constructor.name, message: error.message };
  }
}

const answer = ANSWERS[/** @type {keyof typeof ANSWERS} */ (Deno.args[0])];
const question = JSON.parse(await new Response(Deno.stdin.readable).text());
console.log(JSON.stringify(await answer(question))); // deno-lint-ignore no-console -- what it is for
