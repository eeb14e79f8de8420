import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.doUnmock('../../../peers/sources.ts');
  vi.doUnmock('../../../peers/remote.ts');
  vi.resetModules();
});

test('without the other libraries, wgrad races alone, and the others say which command brings them', async () => {
  vi.resetModules();
  vi.doMock('../../../peers/sources.ts', () => ({ versionOf: async () => undefined }));
  vi.doMock('../../../peers/remote.ts', () => ({
    whyAbsent: async () => undefined,
    openRemote: async () => ({ call: () => Promise.reject(new Error('it is here')), close: () => undefined }),
  }));
  const { race } = await import('./race.ts');
  const outcomes = await race(
    { batchSize: 1, rounds: 0, roundMs: 1, steps: 1, heldOut: 1 },
    { signal: new AbortController().signal, progress: () => undefined, onlyCpu: true },
  );
  const onCpu = outcomes.filter(({ entrant }) => entrant.place === 'CPU');
  expect(onCpu.length).toBeGreaterThan(8);
  for (const { entrant, failure } of onCpu)
    expect(failure, entrant.file).toMatch(entrant.framework === 'wgrad' ? 'it is here' : /“npm run peers”/);
});
