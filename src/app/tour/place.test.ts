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

test('a card stands beside what it speaks of', () => {
  expect(placeFor({ width: 300, height: 200 }, ROOM, box(600, 300, 100, 40))).toEqual({ x: 288, y: 300 });
});

test('it leaves the picture of the network in view, and its target too', () => {
  const card = { width: 304, height: 410 };
  for (const target of [box(268, 520, 370, 220), box(20, 300, 240, 60), box(700, 60, 80, 34)]) {
    const { x, y } = placeFor(card, ROOM, target, PICTURE);
    for (const one of [PICTURE, target]) {
      const apart =
        x >= one.right || x + card.width <= one.left || y >= one.bottom || y + card.height <= one.top;
      expect(apart, `${x}, ${y} beside ${JSON.stringify(one)}`).toBe(true);
    }
  }
  // Beside the pad there is no such place: it goes as low as it can.
  expect(placeFor(card, ROOM, box(1040, 120, 300, 300), PICTURE)).toEqual({ x: 724, y: 346 });
});

test('without a target, or without room, it has the corner', () => {
  const corner = { x: 1054, y: 346 };
  expect(placeFor({ width: 300, height: 410 }, ROOM)).toEqual(corner);
  expect(placeFor({ width: 300, height: 410 }, ROOM, box(0, 0, 1366, 768))).toEqual(corner);
});
