// What there is to do next on the planner's board, as `presenters/plan.py` has it.
// @ts-check

/**
 * `count`: moves of the line so far; `own`: it begins with a move of the planner's own; `isOver`: the game would be.
 * @typedef {{count: number, own: boolean, isOver: boolean}} Draft
 */

/** Whether a move of the line is the planner's own. @param {number} at  from 0 @param {boolean} own */
export function isMine(at, own) {
  return (at % 2 === 0) === own;
}

/** The key of the sentence that says it. @param {Draft} draft */
export function taskOf({ count, own, isOver }) {
  if (isOver) return "over";
  if (!isMine(count, own)) return count < 2 ? "condition" : "save";
  return own && !count ? "intend" : "answer";
}

/** Whether the line can be saved: it ends with an answer. @param {Draft} draft */
export function isComplete({ count, own }) {
  return count >= 2 + Number(own) && isMine(count - 1, own);
}
