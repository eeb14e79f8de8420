import { expect, test } from 'vitest';
import { chromeTrace } from './chrome-trace.ts';

test('rows are named threads in their order, spans lie in them, in microseconds', () => {
  const text = chromeTrace(
    'A step',
    ['encode', 'gpu'],
    [
      { row: 'encode', name: 'encode', start: 0, ms: 0.5 },
      { row: 'gpu', name: 'conv1 fprop', start: 0.75, ms: 0.002, details: { flop: 12 } },
    ],
  );
  const { traceEvents } = JSON.parse(text) as { traceEvents: Record<string, unknown>[] };
  expect(traceEvents.filter(({ name }) => name === 'thread_name')).toEqual([
    { name: 'thread_name', ph: 'M', pid: 1, tid: 1, args: { name: 'encode' } },
    { name: 'thread_name', ph: 'M', pid: 1, tid: 2, args: { name: 'gpu' } },
  ]);
  expect(traceEvents.filter(({ ph }) => ph === 'X')).toEqual([
    { name: 'encode', cat: 'encode', ph: 'X', pid: 1, tid: 1, ts: 0, dur: 500 },
    { name: 'conv1 fprop', cat: 'gpu', ph: 'X', pid: 1, tid: 2, ts: 750, dur: 2, args: { flop: 12 } },
  ]);
});
