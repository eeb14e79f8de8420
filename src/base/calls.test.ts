import { afterEach, expect, test } from 'vitest';
import { answerCalls, callsOver } from './calls.ts';

const api = {
  sum: async (...numbers: number[]) => numbers.reduce((a, b) => a + b, 0),
  now: () => 7,
  fails: async () => {
    throw new TypeError('no such thing');
  },
  uncloneable: async () => () => undefined,
  greet: async (port: MessagePort) => port.postMessage('hello'),
};

let ports: MessagePort[] = [];
afterEach(() => ports.forEach((port) => port.close()));

function connected() {
  const { port1, port2 } = new MessageChannel();
  ports = [port1, port2];
  ports.forEach((port) => port.start());
  answerCalls(port2, api);
  return callsOver<typeof api>(port1);
}

test('calls are answered with what the other side returns, whichever ends first', async () => {
  const { sum, now } = connected();
  expect(await Promise.all([sum(1, 2, 3), sum(), now()])).toEqual([6, 0, 7]);
});

test('what a function throws, and what cannot be copied, is an error here; later calls are answered', async () => {
  const there = connected();
  await expect(there.fails()).rejects.toThrow('no such thing');
  await expect(there.uncloneable()).rejects.toThrow(/could not be cloned/);
  await expect((there as unknown as Record<string, () => Promise<void>>)['unknown']()).rejects.toThrow(
    /function/,
  );
  expect(await there.sum(1)).toBe(1);
});

test('ports move', async () => {
  const { greet } = connected();
  const { port1, port2 } = new MessageChannel();
  ports.push(port1);
  const heard = new Promise((done) => {
    port1.addEventListener('message', ({ data }) => done(data));
    port1.start();
  });
  await greet(port2);
  expect(await heard).toBe('hello');
});
