import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Result } from '../../../../base/result.ts';
import type { RunMemory } from '../../../../worker/api.ts';
import { useApp } from '../../../state/store.ts';
import { Memory } from './Memory.tsx';
import { anyPart } from '../../../testing/any-part.ts';

const memory = vi.fn<() => Promise<Result<RunMemory>>>();

vi.mock('../../../client.ts', () => ({
  ask: (question: (api: unknown) => Promise<unknown>) => question(anyPart({ memory })),
}));

const bytesOf = (mebibytes: number): Result<RunMemory> => ({
  ok: true,
  value: { fits: true, bytes: mebibytes * 2 ** 20, kinds: {}, recomputed: 0 } as never,
});

beforeEach(() => {
  memory.mockReset();
  useApp.setState({ device: 'ready', adapter: undefined, runState: 'idle' });
});

test('an estimate that arrives when the run has begun is shown, and stays while the run is open', async () => {
  let arrive: (answer: Result<RunMemory>) => void = () => undefined;
  memory.mockReturnValueOnce(new Promise((resolve) => (arrive = resolve)));
  render(<Memory />);
  expect(screen.getByText('Estimating memory…')).toBeTruthy();
  act(() => useApp.setState({ runState: 'training' }));
  expect(screen.getByText('Estimating memory…')).toBeTruthy();
  await act(async () => arrive(bytesOf(19)));
  expect(screen.getByText('19.0 MiB of memory')).toBeTruthy();
  await act(async () => useApp.getState().change({ batchSize: '128' }));
  expect(memory).toHaveBeenCalledTimes(1);
  expect(screen.getByText('19.0 MiB of memory')).toBeTruthy();
});

test('nothing is said to be estimated where there is nothing to estimate', async () => {
  memory.mockResolvedValueOnce({ ok: false, error: { code: 'shape', message: 'It does not fit.' } } as never);
  render(<Memory />);
  await act(async () => undefined);
  expect(screen.queryByText('Estimating memory…')).toBeNull();
});
