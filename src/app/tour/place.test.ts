import { expect, test } from 'vitest';
import { placeFor } from './place.ts';

const ROOM = { width: 1366, height: 768 };
const PICTURE = { left: 268, top: 110, right: 1025, bottom: 470 };
const box = (left: number, top: number, width: number, height: number) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

const LOSS = box(268, 516, 374, 200);
const PAD = box(1046, 150, 295, 294);
const KEPT = [PICTURE, LOSS, PAD];

test('a card stands beside what it speaks of', () => {
  expect(placeFor({ width: 300, height: 200 }, ROOM, box(600, 300, 100, 40))).toEqual({ x: 288, y: 300 });
});

test('it leaves the network, the loss and the pad in view, and its target too', () => {
  const card = { width: 304, height: 240 };
  for (const target of [LOSS, box(20, 300, 240, 60), box(700, 60, 80, 34)]) {
    const { x, y } = placeFor(card, ROOM, target, KEPT);
    for (const one of [...KEPT, target]) {
      const apart =
        x >= one.right || x + card.width <= one.left || y >= one.bottom || y + card.height <= one.top;
      expect(apart, `${x}, ${y} beside ${JSON.stringify(one)}`).toBe(true);
    }
  }
  // Of the pad it leaves the answers in view too; where it is too high for that, it goes as low as it can.
  expect(placeFor(card, ROOM, PAD, KEPT)).toEqual({ x: 730, y: 516 });
  expect(placeFor({ ...card, height: 410 }, ROOM, PAD, KEPT)).toEqual({ x: 730, y: 346 });
});

test('without a target, or without room, it has the corner', () => {
  const corner = { x: 1054, y: 346 };
  expect(placeFor({ width: 300, height: 410 }, ROOM)).toEqual(corner);
  expect(placeFor({ width: 300, height: 410 }, ROOM, box(0, 0, 1366, 768))).toEqual(corner);
});
