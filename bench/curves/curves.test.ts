import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { Failure } from '../../src/base/result.ts';
import { outputPath } from '../output.ts';
import { drawCurves, ticks } from './draw.ts';
import { main } from './main.ts';
import { firstAt, readRun } from './runs.ts';

const epoch = (number: number, accuracy: number) =>
  JSON.stringify({ epoch: number, train_loss: 1, test_accuracy: accuracy, train_seconds: number / 2 });
const final = JSON.stringify({ final: true, steps: 9, test_accuracy: 0.93, adapter: 'A GPU' });
const text = ['{"step":1,"loss":2.3}', epoch(1, 0.5), epoch(2, 0.92), epoch(3, 0.93), final, ''].join('\n');

describe('curves of runs', () => {
  test('epochs are read, and when an accuracy was reached', () => {
    const run = readRun('one', text);
    expect(run.epochs.map(({ seconds }) => seconds)).toEqual([0.5, 1, 1.5]);
    expect(firstAt(run, 0.92)).toEqual({ epoch: 2, accuracy: 0.92, seconds: 1 });
    expect(firstAt(run, 0.94)).toBeUndefined();
  });

  test.each([
    ['no epochs', final, 'lines of epochs'],
    ['no end', epoch(1, 0.5), 'a run that ended'],
    ['a text as time', text.replace('"train_seconds":1}', '"train_seconds":"1"}'), '"train_seconds"'],
  ])('%s', (_, lines, words) => {
    expect(() => readRun('one', lines)).toThrow(Failure);
    expect(() => readRun('one', lines)).toThrow(words);
  });

  test('a run is drawn within the picture, with what marks the target', () => {
    const svg = drawCurves('A <net>', [readRun('one', text)], 0.915);
    const points = /points="([^"]*)"/
      .exec(svg)?.[1]
      .split(' ')
      .map((point) => point.split(',').map(Number));
    expect(points).toHaveLength(3);
    for (const [x, y] of points ?? []) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(720);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(360);
    }
    expect(svg).toContain('91.5 %');
    expect(svg).toContain('A &lt;net&gt;');
  });

  test('ticks are round', () => {
    expect(ticks(0, 100, 8)).toEqual([0, 20, 40, 60, 80, 100]);
    expect(ticks(0.8, 1, 6)).toEqual([0.8, 0.85, 0.9, 0.95, 1]);
  });
});

test('a published result is not overwritten', () => {
  const name = 'resnet20-cifar-10';
  const published = new URL(`../results/${name}.svg`, import.meta.url);
  const before = readFileSync(published, 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'wgrad-curves-'));
  const [log, error] = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')];
  for (const spy of [log, error]) spy.mockReturnValue(undefined);
  try {
    writeFileSync(join(folder, 'one.jsonl'), text);
    main([name, '90', 'A <net>', join(folder, 'one.jsonl')]);
    expect(error.mock.calls).toEqual([[outputPath(`${name}.svg`)]]);
    expect(readFileSync(published, 'utf8')).toBe(before);
    expect(readFileSync(outputPath(`${name}.svg`), 'utf8')).toContain('A &lt;net&gt;, A GPU');
  } finally {
    for (const spy of [log, error]) spy.mockRestore();
    rmSync(folder, { recursive: true });
    rmSync(outputPath(`${name}.svg`), { force: true });
  }
});
