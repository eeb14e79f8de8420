import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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

const rowsOf = (event: WorkerEvent) => (event.type === 'steps' ? [...event.rows] : []);

test('however fast steps come, at most twenty messages a second go out, and no step is lost', () => {
  for (let step = 1; step <= 2000; step++) {
    sender.steps(1, [[step, 1 / step, 0.5, 100, 0.1, 3]]);
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(1000);
  expect(sent.length).toBeLessThanOrEqual(2 * 20 + 1);
  const rows = sent.flatMap(rowsOf);
  expect(rows.filter((_, i) => i % 6 === 0)).toEqual(Array.from({ length: 2000 }, (_, i) => i + 1));
  expect(rows.slice(6, 12)).toEqual([2, 1 / 2, 0.5, 100, 0.1, 3]);
});

test('slow steps are told at once', () => {
  sender.steps(1, [[1, 2, 0, 10, 0.1, 3]]);
  expect(sent).toHaveLength(1);
});

test('another event lets the steps before it go first; steps of two runs never share a message', () => {
  sender.steps(1, [[1, 2, 0, 10, 0.1, 3]]);
  sender.steps(1, [[2, 2, 0, 10, 0.1, 3]]);
  sender.send({ type: 'state', runId: 1, state: 'paused', step: 2, epoch: 0 });
  sender.steps(1, [[3, 2, 0, 10, 0.1, 3]]);
  sender.steps(2, [[1, 2, 0, 10, 0.1, 3]]);
  vi.advanceTimersByTime(100);
  expect(sent.map((event) => [event.type, 'runId' in event ? event.runId : 0, rowsOf(event)[0]])).toEqual([
    ['steps', 1, 1],
    ['steps', 1, 2],
    ['state', 1, undefined],
    ['steps', 1, 3],
    ['steps', 2, 1],
  ]);
});
