import { act, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ok, type Result } from '../../base/result.ts';
import type { DatasetEntry, WorkerApi } from '../../worker/api.ts';
import { useApp } from '../state/store.ts';
import { PadPanel } from './PadPanel.tsx';
import { usePad } from './pad-store.ts';
import { showOnPad } from './pad-image.ts';
import { anyPart } from '../testing/any-part.ts';

const predictTrained = vi.fn<WorkerApi['trained']['predictTrained']>();
const images = vi.fn<WorkerApi['data']['images']>();
vi.mock('../client.ts', () => ({
  ask: <T,>(question: (api: unknown) => Promise<Result<T>>) => question(anyPart({ predictTrained, images })),
}));

const TEN = Array.from({ length: 10 }, (_, i) => i);
const dataset = (name: string, shape: number[], classes: string[]) =>
  ({
    name,
    title: name,
    shape,
    classes,
    counts: { train: 100, test: 3 },
    augmentation: {},
    status: { state: 'ready' },
  }) as unknown as DatasetEntry;

test('the network that comes with the page predicts digits, and no classes of other data', async () => {
  const probabilities = Float32Array.from(TEN, (digit) => Number(digit === 3));
  predictTrained.mockResolvedValue(ok({ probabilities, testAccuracy: 0.99 } as never));
  const digits = dataset('digits', [1, 28, 28], TEN.map(String));
  const shapes = dataset(
    'shapes',
    [3, 32, 32],
    TEN.map((i) => `shape ${i}`),
  );
  useApp.setState({ device: 'ready', datasets: [digits, shapes], runId: 0, runConfig: undefined });
  useApp.getState().change({ dataset: 'digits' });
  images.mockImplementation(async ({ dataset: name }) =>
    ok({
      images: new Uint8Array(3 * 32 * 32).fill(name === 'shapes' ? 9 : 1),
      shape: [3, 32, 32],
      classes: (name === 'shapes' ? shapes : digits).classes,
      indices: Uint32Array.of(0),
      labels: Uint8Array.of(2),
    } as never),
  );
  render(<PadPanel />);
  // A digit lies there on arrival.
  expect(usePad.getState()).toMatchObject({ isExample: true, source: 'drawing' });
  act(() => showOnPad(new Uint8Array(28 * 28), [1, 28, 28]));
  await waitFor(() => expect(screen.getByLabelText('Prediction').textContent).toBe('3'));

  act(() => useApp.getState().change({ dataset: 'shapes' }));
  expect(screen.getByLabelText('Prediction').textContent).toBe('–');
  // A test image of the new data, until something else is put there.
  await screen.findByText('Test image 0: shape 2');
  expect(usePad.getState()).toMatchObject({ isExample: true, source: 'sample' });
  act(() => showOnPad(new Uint8Array(3 * 32 * 32), [3, 32, 32]));
  await screen.findByText('The model is untrained. Select Train.');
  act(() => useApp.setState({ device: 'unavailable' }));
  screen.getByText('The model is untrained.');
  expect(screen.getByLabelText('Prediction').textContent).toBe('–');
});
