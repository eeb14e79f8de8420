import { expect, test } from 'vitest';
import { boxOfImage, boxOfStrokes, remarksOf } from './remarks.ts';

const FILLED = [0.2, 0.1, 0.8, 0.9] as const;
const about = (answered: Partial<Parameters<typeof remarksOf>[0]>) =>
  remarksOf({
    probabilities: [0.97, 0.02, 0.01],
    strangeness: 0.5,
    box: FILLED,
    isDrawn: true,
    ...answered,
  }).map((remark) => remark.about);

test('a sure answer to a familiar digit needs no comment, nor does one whose familiarity is not known', () => {
  expect(about({})).toEqual([]);
  expect(about({ strangeness: undefined })).toEqual([]);
});

test('a second class that is close is named, unless the drawing is no digit at all', () => {
  const probabilities = [0.05, 0.41, 0.54];
  expect(remarksOf({ probabilities, strangeness: 0.9, box: FILLED, isDrawn: true })).toEqual([
    { about: 'hesitates', best: 2, second: 1, shares: [0.54, 0.41] },
  ]);
  expect(about({ probabilities: [0.35, 0.2, 0.2, 0.25] })).toEqual(['hesitates']);
  expect(about({ probabilities: [0.6, 0.24, 0.16] })).toEqual([]);
  expect(about({ probabilities, strangeness: 1.1 })).toEqual(['unfamiliar']);
});

test('small and off-centre drawings are centred, pictures are not', () => {
  const small = [0.7, 0.1, 0.9, 0.3] as const;
  const off = [0, 0.1, 0.55, 0.9] as const;
  expect([about({ box: small }), about({ box: off })]).toEqual([['centred'], ['centred']]);
  expect(about({ box: small, isDrawn: false })).toEqual(['misplaced']);
  expect(about({ box: small, strangeness: 2 })).toEqual(['unfamiliar', 'centred']);
});

test('a touch of the pen is a dot, however familiar it looks once it is enlarged', () => {
  const dot = boxOfStrokes([{ points: [0.5, 0.5, 0.51, 0.5], colour: '#000' }]);
  expect(about({ box: dot, strangeness: 0.1 })).toEqual(['dot', 'centred']);
  expect(about({ box: dot, strangeness: 0.1, isDrawn: false })).toEqual(['misplaced']);
});

test('boxes are in shares of the picture', () => {
  expect(boxOfStrokes([{ points: [0.2, 0.3, 0.4, 0.1], colour: '#000' }])).toEqual([0.2, 0.1, 0.4, 0.3]);
  const image = new Uint8Array(16);
  [image[5], image[10], image[0]] = [255, 200, 100];
  expect(boxOfImage(image)).toEqual([0.25, 0.25, 0.75, 0.75]);
  expect([boxOfStrokes([]), boxOfImage(new Uint8Array(16))]).toEqual([undefined, undefined]);
});
