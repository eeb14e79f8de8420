import { expose } from 'comlink';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ok, type Result } from '../base/result.ts';
import { ask, endWorker, startWorker } from './client.ts';

/** A worker in this thread, whose answers can be held back. */
class FakeWorker {
  static last: FakeWorker;
  terminated = false;
  events: MessagePort | undefined;
  /** Locks that it holds are released by this. */
  die: (() => void) | undefined;
  private readonly listeners = new Map<string, (event: object) => void>();
  private readonly channel = new MessageChannel();

  constructor() {
    FakeWorker.last = this;
    expose(
      {
        listen: async (events: MessagePort) => {
          this.events = events;
          return true;
        },
        pulse: async () => undefined,
        quick: async () => ok(7),
        never: () => new Promise(() => undefined),
        bug: async () => {
          throw new Error('a bug');
        },
      },
      this.channel.port2,
    );
  }

  postMessage(message: unknown, given: Transferable[] = []): void {
    this.channel.port1.postMessage(message, given);
  }

  addEventListener(type: string, listener: (event: object) => void): void {
    this.listeners.set(type, listener);
    if (type !== 'message') return;
    this.channel.port1.addEventListener('message', listener as never);
    this.channel.port1.start();
  }

  removeEventListener(): void {}

  say(type: string, event: object): void {
    this.listeners.get(type)?.(event);
  }

  terminate(): void {
    this.terminated = true;
    this.channel.port1.close();
    this.channel.port2.close();
    this.die?.();
  }
}

/** Calls a function of the fake worker. */
const call = (name: 'quick' | 'never' | 'bug') => (remote: unknown) =>
  (remote as Record<string, () => Promise<Result<number>>>)[name]();

let died: string[];
let heard: unknown[];

beforeEach(() => {
  vi.stubGlobal('Worker', FakeWorker);
  vi.stubGlobal('document', { baseURI: 'http://localhost/' });
  // Granted once the worker is gone.
  const request = (_name: string, work: () => unknown) =>
    new Promise((done) => (FakeWorker.last.die = () => done(work())));
  vi.stubGlobal('navigator', { locks: { request } });
  died = [];
  heard = [];
  startWorker('auto', {
    onEvent: (event) => heard.push(event),
    onDeath: (reason) => died.push(reason),
    onResponds: () => undefined,
  });
});
afterEach(async () => {
  await endWorker();
  vi.unstubAllGlobals();
});

const CANCELLED = { ok: false, error: { code: 'cancelled' } };

test('calls are answered', async () => {
  expect(await ask(call('quick'))).toEqual(ok(7));
});

test('a worker that ends without a word is reported, and what it was asked is answered', async () => {
  expect(await ask(call('quick'))).toEqual(ok(7));
  await expect.poll(() => FakeWorker.last.die).toBeDefined();
  const pending = ask(call('never'));
  FakeWorker.last.die?.();
  expect(await pending).toMatchObject(CANCELLED);
  expect(died).toEqual(['It ended without a message. Most likely it ran out of memory.']);
  expect(FakeWorker.last.terminated).toBe(true);
  // Whatever is asked of it later, too.
  expect(await ask(call('never'))).toMatchObject(CANCELLED);
});

test('a worker that throws is reported once', async () => {
  const pending = ask(call('never'));
  expect(await ask(call('bug'))).toMatchObject(CANCELLED);
  expect(await pending).toMatchObject(CANCELLED);
  FakeWorker.last.say('error', { message: 'again' });
  expect(died).toEqual(['a bug']);
});

test('a worker that is replaced answers what it was asked, and is no loss to report', async () => {
  expect(await ask(call('quick'))).toEqual(ok(7));
  const pending = ask(call('never'));
  await endWorker();
  expect(await pending).toMatchObject(CANCELLED);
  expect(FakeWorker.last.terminated).toBe(true);
  expect(died).toEqual([]);
});

test('events of a worker that was replaced are not taken for those of the next', async () => {
  expect(await ask(call('quick'))).toEqual(ok(7));
  const { events } = FakeWorker.last;
  events?.postMessage('the first', []);
  await expect.poll(() => heard).toEqual(['the first']);
  events?.postMessage('the last', []);
  await endWorker();
  await new Promise((done) => setTimeout(done, 20));
  expect(heard).toEqual(['the first']);
});
