import { expect, test } from 'vitest';
import { predictionAt, predictionLine, scoreOf, toCsv, toJsonLines } from './predictions.ts';

const set = {
  classes: ['cat', 'dog, or "wolf"', 'owl'],
  logits: Float32Array.of(0, Math.log(2), 0, 3, 3, 1),
  labels: Uint8Array.of(1, 2),
  files: ['a/1.png', 'b, c/2.png'],
};

test('the predicted class is the first of the largest logits', () => {
  const { probabilities, logits, ...rest } = predictionAt(set, 0);
  expect(rest).toEqual({ index: 0, file: 'a/1.png', label: 1, class: 1, answer: 'dog, or "wolf"' });
  [0.25, 0.5, 0.25].forEach((p, i) => expect(probabilities[i]).toBeCloseTo(p, 6));
  expect(logits).toEqual(set.logits.slice(0, 3));
  expect(predictionAt(set, 1).class).toBe(0);
});

test('accuracy and loss of the first images', () => {
  expect(scoreOf(set, 1)?.accuracy).toBe(1);
  expect(scoreOf(set, 1)?.loss).toBeCloseTo(Math.log(2), 6);
  const both = scoreOf(set, 2);
  expect(both?.accuracy).toBe(0.5);
  const second = Math.log(2 * Math.exp(3) + Math.exp(1)) - 1;
  expect(both?.loss).toBeCloseTo((Math.log(2) + second) / 2, 6);
  expect(scoreOf({ ...set, labels: undefined }, 2)).toBeUndefined();
});

test('logits of any size have a loss', () => {
  const large = { classes: ['a', 'b'], logits: Float32Array.of(1000, -1000), labels: Uint8Array.of(1) };
  expect(scoreOf(large, 1)).toEqual({ accuracy: 0, loss: 2000 });
});

test('as JSON lines and as CSV', () => {
  const lines = toJsonLines(set).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    predictionLine(predictionAt(set, 0)),
    predictionLine(predictionAt(set, 1)),
  ]);
  expect(toCsv(set).split('\n').slice(0, 3)).toEqual([
    'index,file,label,answer,p(cat),"p(dog, or ""wolf"")",p(owl)',
    '0,a/1.png,"dog, or ""wolf""","dog, or ""wolf""",0.25,0.5,0.25',
    '1,"b, c/2.png",owl,cat,0.468311,0.468311,0.0633789',
  ]);
  const bare = { classes: ['a', 'b'], logits: Float32Array.of(0, 0) };
  expect(toCsv(bare)).toBe('index,answer,p(a),p(b)\n0,a,0.5,0.5\n');
});
