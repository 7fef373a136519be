// The moves played from a position as a tree: of the moves at a node the first is the main line, the others are
// variations. It keeps what was played; whether a move is legal is for the rules.
// @ts-check

/** @typedef {import("../rules/rules.js").Move} Move */
/** @typedef {import("../rules/rules.js").Position} Position */

/** A position, the move that led to it, and what was played there. */
export class Node {
  /** What was played here, the main line first. @type {Node[]} */
  children = [];
  /** A remark in a record. */
  comment = "";
  /** `!`, `?!` … */
  strength = "";

  /**
   * @param {number} id
   * @param {Position} position
   * @param {{parent: Node, move: Move, notation: string}} [from]
   */
  constructor(id, position, from) {
    this.id = id;
    this.position = position;
    this.parent = from?.parent;
    this.move = from?.move;
    this.notation = from?.notation ?? "";
    /** @type {number} plies since the beginning */
    this.ply = from ? from.parent.ply + 1 : 0;
  }

  /** The nodes from the beginning to this one. @returns {Node[]} */
  get path() {
    return this.parent ? [...this.parent.path, this] : [this];
  }

  /** Whether a variation leads here. @returns {boolean} */
  get isVariation() {
    return Boolean(this.parent && (this.parent.children[0] !== this || this.parent.isVariation));
  }
}

/** The tree of one start position. */
export class Tree {
  #last = 0;
  /** @type {Map<number, Node>} */
  #nodes = new Map();

  /** @param {Position} start */
  constructor(start) {
    this.root = this.#add(start);
  }

  /** @param {number} id */
  node(id) {
    return this.#nodes.get(id);
  }

  /**
   * The node after a legal move, which is new unless the move was played there before. Throws a `RangeError` for another.
   * @param {Node} parent
   * @param {Move} move
   */
  play(parent, move) {
    const known = parent.children.find((child) => child.move && isSame(child.move, move));
    if (known) return known;
    const notation = parent.position.notation(move);
    const node = this.#add(parent.position.play(move), { parent, move, notation });
    parent.children.push(node);
    return node;
  }

  /** The line through a node: from the beginning, and on from it by the main line. @param {Node} node */
  line(node) {
    const line = node.path;
    for (let [next] = node.children; next; [next] = next.children) line.push(next);
    return line;
  }

  /** Put the variation that leads to a node one place further up. @param {Node} node @returns {boolean} whether it is one */
  promote(node) {
    const first = node.path.reverse().find((one) => one.parent && one.parent.children[0] !== one);
    const siblings = first?.parent?.children;
    if (!first || !siblings) return false;
    const at = siblings.indexOf(first);
    siblings.splice(at - 1, 2, siblings[at], siblings[at - 1]);
    return true;
  }

  /** Delete a node with all that follows. @param {Node} node @returns {Node} the one before it */
  remove({ id, parent }) {
    if (!parent) throw new RangeError("expected a move, got the beginning");
    parent.children = parent.children.filter((child) => child.id !== id);
    this.#nodes.delete(id);
    return parent;
  }

  /**
   * @param {Position} position
   * @param {{parent: Node, move: Move, notation: string}} [from]
   */
  #add(position, from) {
    const node = new Node(++this.#last, position, from);
    this.#nodes.set(node.id, node);
    return node;
  }
}

/** @param {Move} one @param {Move} other */
function isSame(one, other) {
  return one.path.join() === other.path.join() && one.captures.join() === other.captures.join();
}
