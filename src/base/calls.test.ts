import { expect, test } from 'vitest';
import { answerCalls, callsTo } from './calls.ts';

/** Two ends of a channel: calls at one, answers at the other. */
function connected(functions: object) {
  const { port1, port2 } = new MessageChannel();
  answerCalls(port2, functions);
  const api = callsTo(port1);
  port1.start();
  port2.start();
  const end = () => port1.close();
  return { api: api as Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>>, end };
}

test('calls are answered by the function at their path, each by its own answer', async () => {
  const { api, end } = connected({
    sums: { add: (a: number, b: number) => a + b, wait: async (value: unknown) => value },
  });
  const slow = api.sums.wait('slow');
  expect(await api.sums.add(2, 3)).toBe(5);
  expect(await slow).toBe('slow');
  expect(await api.sums.wait(undefined)).toBeUndefined();
  end();
});

test('ports move to the other side', async () => {
  const { api, end } = connected({ ports: { greet: (port: MessagePort) => port.postMessage('hello') } });
  const { port1, port2 } = new MessageChannel();
  const heard = new Promise((done) => port1.addEventListener('message', ({ data }) => done(data)));
  port1.start();
  await api.ports.greet(port2);
  expect(await heard).toBe('hello');
  port1.close();
  end();
});

test('what a function throws, what is missing, and what cannot be copied reject the call', async () => {
  const { api, end } = connected({
    faulty: {
      fail: () => {
        throw new Error('a bug');
      },
      uncopied: () => () => undefined,
    },
  });
  await expect(api.faulty.fail()).rejects.toThrow('a bug');
  await expect(api.faulty.missing()).rejects.toThrow('is not a function');
  await expect(api.faulty.uncopied()).rejects.toThrow('could not be cloned');
  await expect(api.faulty.fail(() => undefined)).rejects.toThrow('could not be cloned');
  end();
});
