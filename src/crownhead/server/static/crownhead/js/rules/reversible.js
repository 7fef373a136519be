// How far back the positions of a game can still be repeated.
// @ts-check

/**
 * The positions since the last capture or move of a man, which a search looks at for repetition.
 * @template P
 * @param {readonly P[]} positions from the start of the game
 * @param {(ply: number) => boolean} isIrreversible whether the move that was made in the position of a ply takes or is a man's
 * @returns {P[]}
 */
export function reversiblePositions(positions, isIrreversible) {
  let since = positions.length - 1;
  while (since > 0 && !isIrreversible(since - 1)) since--;
  return positions.slice(since);
}
