import { expect, test, vi } from 'vitest';
import { drawInTurn, leaveTurn } from './turns.ts';

test('charts are drawn one per frame, in the order in which they asked, each once', () => {
  const frames: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  const drawn: string[] = [];
  const [loss, accuracy, gone] = ['loss', 'accuracy', 'gone'].map((name) => () => void drawn.push(name));
  for (const one of [loss, gone, accuracy, loss]) drawInTurn(one);
  leaveTurn(gone);
  frames.shift()?.();
  expect(drawn).toEqual(['loss']);
  // It asks again before the other one had its turn.
  drawInTurn(loss);
  while (frames.length > 0) frames.shift()?.();
  expect(drawn).toEqual(['loss', 'accuracy', 'loss']);
});
