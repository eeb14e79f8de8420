import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { unpackRows, type StepRow } from '../run/metrics/rows.ts';
import type { WorkerEvent } from './api.ts';
import { EventSender } from './events.ts';

let sent: WorkerEvent[] = [];
let sender: EventSender;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.advanceTimersByTime(1000);
  sent = [];
  sender = new EventSender();
  sender.listen({ postMessage: (event) => sent.push(event) });
});
afterEach(() => vi.useRealTimers());

const row = (step: number, loss = 2): StepRow => ({
  step,
  loss,
  accuracy: 0.5,
  imagesPerSecond: 100,
  learningRate: 0.1,
  gradientNorm: 3,
});
const rowsOf = (event: WorkerEvent) => (event.type === 'steps' ? unpackRows(event.rows, event.columns) : []);

test('however fast steps are, at most twenty messages per second are sent, and no step is lost', () => {
  for (let step = 1; step <= 2000; step++) {
    sender.steps(1, [row(step, 1 / step)]);
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(1000);
  expect(sent.length).toBeLessThanOrEqual(2 * 20 + 1);
  const rows = sent.flatMap(rowsOf);
  expect(rows).toEqual(Array.from({ length: 2000 }, (_, i) => row(i + 1, 1 / (i + 1))));
});

test('slow steps are sent immediately', () => {
  sender.steps(1, [row(1)]);
  expect(sent).toHaveLength(1);
});

test('another event first sends the steps before it; steps of two runs never share a message', () => {
  sender.steps(1, [row(1)]);
  sender.steps(1, [row(2)]);
  sender.send({ type: 'state', runId: 1, state: 'paused', step: 2, epoch: 0 });
  sender.steps(1, [row(3)]);
  sender.steps(2, [row(1)]);
  vi.advanceTimersByTime(100);
  expect(
    sent.map((event) => [event.type, 'runId' in event ? event.runId : 0, rowsOf(event)[0]?.step]),
  ).toEqual([
    ['steps', 1, 1],
    ['steps', 1, 2],
    ['state', 1, undefined],
    ['steps', 1, 3],
    ['steps', 2, 1],
  ]);
});
