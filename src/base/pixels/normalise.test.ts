import { describe, expect, test } from 'vitest';
import { normaliseDrawing } from './normalise.ts';

/** A sheet with one filled rectangle. */
function sheet(size: number, left: number, top: number, width: number, height: number): Uint8Array {
  const ink = new Uint8Array(size * size);
  for (let y = top; y < top + height; y++) ink.fill(255, y * size + left, y * size + left + width);
  return ink;
}

function measure(image: Uint8Array) {
  let [mass, x, y] = [0, 0, 0];
  const rows = new Set<number>();
  const columns = new Set<number>();
  image.forEach((value, at) => {
    if (value === 0) return;
    mass += value;
    x += value * ((at % 28) + 0.5);
    y += value * (Math.floor(at / 28) + 0.5);
    rows.add(Math.floor(at / 28));
    columns.add(at % 28);
  });
  return { mass, x: x / mass, y: y / mass, width: columns.size, height: rows.size };
}

describe('normaliseDrawing', () => {
  test('a blank sheet has no image', () => {
    expect(normaliseDrawing(new Uint8Array(100), 10)).toBeUndefined();
  });

  test('a tall bar anywhere fills 20 rows around the centre, with the same proportions', () => {
    const image = normaliseDrawing(sheet(280, 200, 30, 20, 100), 280);
    expect(measure(image!)).toMatchObject({ width: 4, height: 20, x: 14, y: 14 });
    expect(Math.max(...image!)).toBe(255);
  });

  test('a wide bar fills 20 columns', () => {
    const image = normaliseDrawing(sheet(280, 10, 250, 200, 40), 280);
    expect(measure(image!)).toMatchObject({ width: 20, height: 4, x: 14, y: 14 });
  });

  test('a drawing smaller than 20 pixels is enlarged', () => {
    expect(measure(normaliseDrawing(sheet(40, 3, 3, 5, 10), 40)!)).toMatchObject({ height: 20, width: 10 });
  });

  test('the centre of mass, not of the box, moves to the centre', () => {
    // An L: a bar of 10 x 100 and a foot of 50 x 10.
    const ink = sheet(200, 20, 20, 10, 100);
    sheet(200, 20, 110, 50, 10).forEach((value, at) => (ink[at] = Math.max(ink[at], value)));
    const { x, y } = measure(normaliseDrawing(ink, 200)!);
    expect(x).toBeCloseTo(14, 1);
    expect(y).toBeCloseTo(14, 1);
  });

  test('ink that covers half of a pixel makes it half as bright', () => {
    // 30 wide and 40 tall at two source pixels each: columns end on whole pixels; 31 wide ends in the middle of one.
    const image = normaliseDrawing(sheet(100, 10, 10, 31, 40), 100)!;
    const row = [...image.subarray(14 * 28, 15 * 28)].filter((value) => value > 0);
    expect(row.reduce((sum, value) => sum + value, 0) / 255).toBeCloseTo(15.5, 1);
  });
});
