// An analysis on a board: the tree of moves, the position shown, and what a move, a step or a record changes. The
// board reports each by `board-ply`.
// @ts-check

import { load, setLine } from "../board/load.js";
import { boardMoves, moveAlong, recordedMove } from "../board_moves.js";
import { playMoves } from "./record.js";
import { Tree } from "./tree.js";

/** @typedef {import("../board/element.js").CheckersBoard} CheckersBoard */
/** @typedef {import("../rules/rules.js").Move} Move */
/** @typedef {import("../rules/rules.js").Rules} Rules */
/** @typedef {import("./tree.js").Node} Node */

/**
 * What the page says of it: the position to begin with, and how many plies a line has at most.
 * @typedef {import("../board_moves.js").Laws & {start: string, longest: number, texts: Record<string, string>}} Terms
 */

/** @template {Terms} About */
export class Session {
  /** The nodes that can be stepped through. @type {Node[]} */
  line = [];
  /** @type {Map<Node, ReturnType<typeof boardMoves>>} */
  #known = new Map();
  #wasTurned;
  #bottom;

  /**
   * @param {CheckersBoard} board
   * @param {Rules} rules
   * @param {About} about
   * @param {string} [moves]  of a tree that there was before
   */
  constructor(board, rules, about, moves = "") {
    this.board = board;
    this.rules = rules;
    this.about = about;
    this.#bottom = board.data.bottom;
    this.#wasTurned = new URL(location.href).searchParams.has("flip");
    this.tree = new Tree(rules.position(about.start));
    playMoves(moves, this.tree);
    let node = this.tree.root;
    for (const { path, captures } of board.data.record) {
      node = this.tree.play(node, this.#legal(node, path, captures));
    }
    this.#follow(node);
    board.laws = (ply) => this.#laws(this.line[ply] ?? this.node);
  }

  /** The position shown. @returns {Node} */
  get node() {
    return this.line[this.board.ply] ?? this.line[this.line.length - 1];
  }

  /** Whether the board stands the other way round than a board does at first. */
  get isTurned() {
    return this.#wasTurned !== (this.board.bottom !== this.#bottom);
  }

  /** Make a move in the position shown. @param {readonly number[]} path */
  play(path) {
    const { board, node } = this;
    if (node.ply >= this.about.longest) return board.hint(this.about.texts["too-long"]);
    const [before, ply] = [board.path, board.ply];
    const next = this.tree.play(node, this.#legal(node, path));
    this.line = this.line.slice(0, ply + 1);
    setLine(board, this.#shown());
    [board.ply, board.path] = [ply, before];
    this.line = this.tree.line(next);
    board.advance(this.#record(next), { fen: next.position.fen(), legal: [], barred: 0 });
    this.#follow(next);
  }

  /** Show a position of the tree. @param {Node} node */
  goTo(node) {
    this.line = this.tree.line(node);
    load(this.board, { ...this.#shown(), ply: node.ply });
  }

  /** Go back by a move, which is forgotten where nothing followed it. */
  takeBack() {
    const { node } = this;
    if (!node.parent) return;
    const parent = node.children.length ? node.parent : this.tree.remove(node);
    this.goTo(parent);
  }

  /** Forget all moves. */
  startOver() {
    this.tree = new Tree(this.tree.root.position);
    this.#known.clear();
    this.goTo(this.tree.root);
  }

  /** Put the variation that is shown one place further up. */
  promote() {
    if (this.tree.promote(this.node)) this.goTo(this.node);
  }

  /** Forget the move that led here with all that follows. */
  remove() {
    if (this.node.parent) this.goTo(this.tree.remove(this.node));
  }

  /**
   * Play the moves of a record of this start position, in place of the tree there is.
   * @param {string} moves
   * @returns {string} the first move that could not be played
   */
  read(moves) {
    const tree = new Tree(this.tree.root.position);
    const { refused } = playMoves(moves, tree);
    if (!tree.root.children.length) return refused || moves.trim().slice(0, 20);
    this.tree = tree;
    this.#known.clear();
    this.goTo(tree.root);
    return refused;
  }

  /** The game up to the position shown, for the engine; its draws are counted where the rules go so far. @param {typeof import("../rules/game.js").Game} Game */
  gameSoFar(Game) {
    const game = new Game(this.tree.root.position);
    const path = this.node.path.slice(1);
    for (const { move } of path) {
      if (!move || game.outcome()) break;
      game.push(move);
    }
    return game.moves.length === path.length ? game : undefined;
  }

  /** Let the board step along the line through a node, which it shows. @param {Node} node */
  #follow(node) {
    this.line = this.tree.line(node);
    setLine(this.board, this.#shown());
    this.board.ply = node.ply;
  }

  #shown() {
    const [, ...moves] = this.line;
    return { record: moves.map((node) => this.#record(node)), fens: this.line.map(({ position }) => position.fen()) };
  }

  /** @param {Node} node */
  #record({ parent, move }) {
    const { board, about } = this;
    if (!parent || !move) throw new RangeError("expected a move, got the beginning");
    return recordedMove(parent.position, move, about, { texts: about.texts, words: board.words });
  }

  /** @param {Node} node */
  #laws(node) {
    const known = this.#known.get(node) ?? boardMoves(node.position, this.about);
    this.#known.set(node, known);
    return known;
  }

  /** @param {Node} node @param {readonly number[]} path @param {readonly number[]} [captures] @returns {Move} */
  #legal({ position }, path, captures) {
    const move = moveAlong(position, path, captures);
    if (!move) throw new RangeError(`expected a legal move, got ${path.join("-")}`);
    return move;
  }
}
