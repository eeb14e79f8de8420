/** Charts that wait to be drawn, the first one first. */
const waiting = new Set<() => void>();

/**
 * Draws a chart soon, once however often it was asked for. Charts take turns, one per frame: all of them at once would take
 * longer than a frame.
 */
export function drawInTurn(draw: () => void): void {
  if (waiting.size === 0) requestAnimationFrame(drawNext);
  waiting.add(draw);
}

/** For a chart that is gone. */
export const leaveTurn = (draw: () => void): void => void waiting.delete(draw);

function drawNext(): void {
  const [draw] = waiting;
  if (!draw) return;
  waiting.delete(draw);
  if (waiting.size > 0) requestAnimationFrame(drawNext);
  draw();
}
