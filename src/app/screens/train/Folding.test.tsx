import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { fail, type Result } from '../../../base/result.ts';
import type { DatasetEntry } from '../../../worker/api.ts';
import { ExclusiveGpu } from '../../../worker/exclusive-gpu.ts';
import { ActionButton } from '../../actions/ActionButton.tsx';
import { train } from '../../actions/actions.ts';
import { emit } from '../../events.ts';
import { useApp } from '../../state/store.ts';
import { Folding } from './Folding.tsx';
import { anyPart } from '../../testing/any-part.ts';

/** The worker's own keeper of the GPU, whose tasks end when the test says so. */
const { worker } = vi.hoisted(() => ({
  worker: { gpu: undefined as ExclusiveGpu | undefined, trained: 0, endFold: () => {} },
}));

vi.mock('../../client.ts', () => {
  const api = {
    foldModel: () =>
      worker.gpu!.run('fold', async () => {
        await new Promise<void>((end) => (worker.endFold = end));
        return fail({ code: 'not-found', message: 'There is no model yet.' });
      }),
    train: async () => {
      worker.gpu!.requireIdle();
      worker.trained++;
      return { ok: true };
    },
  };
  const ask = <T,>(question: (one: unknown) => Promise<Result<T>>) => question(anyPart(api));
  return { ask };
});

const digits = {
  name: 'digits',
  title: 'Digits',
  counts: { train: 100, test: 10 },
  shape: [1, 28, 28],
  classes: ['0', '1'],
};

// It listens to the worker's events about its GPU.
beforeAll(() => import('../../load.ts'));

beforeEach(() => {
  const datasets = [{ ...digits, augmentation: {}, status: { state: 'ready' } } as unknown as DatasetEntry];
  useApp.setState({ ...useApp.getInitialState(), device: 'ready', datasets, runId: 1, runState: 'stopped' });
  const training = { whilePaused: <T,>(work: () => Promise<T>) => work() };
  worker.gpu = new ExclusiveGpu(training, (task) => act(() => emit({ type: 'gpuTask', task })));
  worker.trained = 0;
});

const button = (name: string) => screen.getByRole('button', { name });

test('while a fold is measured, Train says so and waits', async () => {
  render(
    <>
      <Folding />
      <ActionButton action={train} />
    </>,
  );
  await userEvent.click(button('Fold batch norm'));
  expect(button('Measuring…').getAttribute('aria-disabled')).toBe('true');
  expect(button('Train').title).toMatch(/^Folding batch norm is being measured.*Wait until it finishes\.$/);
  await userEvent.click(button('Train'));
  expect(worker.trained).toBe(0);
  await act(async () => worker.endFold());
  expect(button('Train').getAttribute('aria-disabled')).toBe(null);
  await userEvent.click(button('Train'));
  expect(worker.trained).toBe(1);
});

test('while something else has the GPU, nothing is folded', async () => {
  void worker.gpu?.run('lab', () => new Promise(() => {}));
  render(<Folding />);
  expect(button('Fold batch norm').title).toMatch(/Lab is benchmarking.*stop it on the Lab screen/);
});
