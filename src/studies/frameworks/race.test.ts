import { expect, test } from 'vitest';
import type { Remote } from './contenders.ts';
import { race } from './race.ts';

test('without the other libraries, wgrad races alone, and the others say which command brings them', async () => {
  const outcomes = await race(
    { batchSize: 1, rounds: 0, roundMs: 1, steps: 1, heldOut: 1 },
    { signal: new AbortController().signal, progress: () => undefined, onlyCpu: true },
    {
      versionOf: async () => undefined,
      whyAbsent: async () => undefined,
      openRemote: async () => ({
        call: (() => Promise.reject(new Error('it is here'))) as Remote['call'],
        close: () => undefined,
      }),
    },
  );
  const onCpu = outcomes.filter(({ entrant }) => entrant.place === 'CPU');
  expect(onCpu.length).toBeGreaterThan(8);
  for (const { entrant, failure } of onCpu)
    expect(failure, entrant.file).toMatch(entrant.framework === 'wgrad' ? 'it is here' : /“npm run peers”/);
});
