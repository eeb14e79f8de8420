import { beforeEach, expect, test } from 'vitest';
import { RunLocks } from './run-locks.ts';

const aMoment = () => new Promise<void>((later) => setTimeout(later, 2));

/** A browser's locks, which are granted and given back a moment before its tabs hear of it. */
const held = new Set<string>();
/** When a query sees what is held: at its begin or at its end. */
let seen: 'begin' | 'end';
const manager = {
  async query() {
    const atBegin = [...held];
    // It takes longer than to release one.
    for (let i = 0; i < 5; i++) await aMoment();
    return { held: (seen === 'begin' ? atBegin : [...held]).map((name) => ({ name })) };
  },
  async request(name: string, _: LockOptions, work: (lock: object | null) => unknown) {
    if (held.has(name)) return work(null);
    held.add(name);
    await aMoment();
    await work({ name });
    held.delete(name);
    await aMoment();
  },
} as unknown as LockManager;

let here: RunLocks;
let there: RunLocks;
beforeEach(() => {
  held.clear();
  seen = 'begin';
  [here, there] = [new RunLocks(manager), new RunLocks(manager)];
});

test('a run is open in one tab, and the others know it', async () => {
  expect(await here.hold('a')).toBe(true);
  expect(await there.hold('a')).toBe(false);
  expect([here.isHere('a'), there.isHere('a')]).toEqual([true, false]);
  expect([...(await there.elsewhere())]).toEqual(['a']);
  here.release('a');
  expect(await here.hold('a')).toBe(true);
});

test.each(['begin', 'end'] as const)(
  'what this tab acquires or releases meanwhile is not elsewhere: a query that sees its %s',
  async (when) => {
    seen = when;
    // Before and after it has its lock.
    const none = async () => expect([...(await here.elsewhere())]).toEqual([]);
    const during = async (change: () => unknown) => {
      const answer = none();
      const changed = change();
      await answer;
      await changed;
    };
    await during(() => here.hold('a'));
    await during(() => here.release('a'));
    // It is granted just before the answer, and heard of just after it.
    await during(async () => {
      for (let i = 0; i < 4; i++) await aMoment();
      await here.hold('a');
    });
    await during(() => here.release('a'));
    const holding = here.hold('a');
    await none();
    expect(await holding).toBe(true);
    here.release('a');
    await none();
    // And what it cannot have is.
    expect(await there.hold('a')).toBe(true);
    const refused = here.hold('a');
    expect([...(await here.elsewhere())]).toEqual(['a']);
    expect(await refused).toBe(false);
  },
);
