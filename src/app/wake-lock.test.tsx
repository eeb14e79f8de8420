import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunState } from '../worker/api.ts';
import { useApp } from './state/store.ts';
import { canKeepScreenOn, watchKeepScreenOn } from './keep-screen-on.ts';
import { startWakeLock } from './wake-lock.ts';

/** A lock as the browser gives it. */
class Lock extends EventTarget {
  released = false;

  release(): Promise<void> {
    if (!this.released) this.dispatchEvent(new Event('release'));
    this.released = true;
    return Promise.resolve();
  }
}

let locks: Lock[];
let end: () => void;
let visibility: DocumentVisibilityState;
const request = vi.fn<(type: string) => Promise<Lock>>();

beforeEach(() => {
  locks = [];
  request.mockReset().mockImplementation(() => {
    const lock = new Lock();
    locks.push(lock);
    return Promise.resolve(lock);
  });
  visibility = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
  Object.defineProperty(navigator, 'wakeLock', { value: { request }, configurable: true });
  useApp.setState({ ...useApp.getInitialState(), keepScreenOn: true }, true);
  end = startWakeLock();
});
afterEach(() => {
  end();
  Reflect.deleteProperty(navigator, 'wakeLock');
  vi.restoreAllMocks();
});

/** What the browser is asked for after the page is in this state. */
async function held(runState: RunState): Promise<number> {
  useApp.setState({ runState });
  return heldNow();
}

async function heldNow(): Promise<number> {
  await new Promise((done) => setTimeout(done));
  return locks.filter(({ released }) => !released).length;
}

async function turn(to: DocumentVisibilityState): Promise<number> {
  visibility = to;
  // As browsers do when the page is out of sight.
  if (to === 'hidden') for (const lock of locks) void lock.release();
  document.dispatchEvent(new Event('visibilitychange'));
  return heldNow();
}

test('the screen stays on while a run trains, and no longer', async () => {
  expect(await heldNow()).toBe(0);
  expect(await held('preparing')).toBe(1);
  expect(await held('training')).toBe(1);
  expect(await held('recovering')).toBe(1);
  expect(await held('paused')).toBe(0);
  expect(await held('training')).toBe(1);
  expect(await held('stopped')).toBe(0);
  expect(request.mock.calls).toEqual([['screen'], ['screen']]);
});

test('it is asked again when the page is back in sight', async () => {
  expect(await held('training')).toBe(1);
  expect(await turn('hidden')).toBe(0);
  expect(await turn('visible')).toBe(1);
  expect(await held('paused')).toBe(0);
  expect(await turn('hidden')).toBe(0);
  expect(await turn('visible')).toBe(0);
});

test('only if the person wants that, from the moment on', async () => {
  useApp.getState().setKeepScreenOn(false);
  expect(await held('training')).toBe(0);
  useApp.getState().setKeepScreenOn(true);
  expect(await heldNow()).toBe(1);
  useApp.getState().setKeepScreenOn(false);
  expect(await heldNow()).toBe(0);
});

test('a pause while the browser has not answered yet is not forgotten', async () => {
  useApp.setState({ runState: 'training' });
  useApp.setState({ runState: 'paused' });
  expect(await heldNow()).toBe(0);
  expect(locks).toHaveLength(1);
});

test('a refusal is no error, and the next change asks again', async () => {
  request.mockRejectedValueOnce(new DOMException('the battery is low', 'NotAllowedError'));
  expect(await held('preparing')).toBe(0);
  expect(await held('training')).toBe(1);
});

test('a lock that the browser released by itself is asked for again at the next change', async () => {
  expect(await held('preparing')).toBe(1);
  await locks[0].release();
  expect(await held('training')).toBe(1);
});

test('once it is ended, the screen may turn off', async () => {
  expect(await held('training')).toBe(1);
  end();
  expect(await heldNow()).toBe(0);
});

test('a browser without wake locks is left alone', async () => {
  end();
  Reflect.deleteProperty(navigator, 'wakeLock');
  expect(canKeepScreenOn()).toBe(false);
  await watchKeepScreenOn();
  expect(await held('training')).toBe(0);
  expect(request).not.toHaveBeenCalled();
});

test('its code is loaded when the person first wants it', async () => {
  end();
  useApp.setState({ keepScreenOn: false });
  const watching = watchKeepScreenOn();
  expect(await held('training')).toBe(0);
  useApp.getState().setKeepScreenOn(true);
  await watching;
  expect(await heldNow()).toBe(1);
  expect(await held('paused')).toBe(0);
});
