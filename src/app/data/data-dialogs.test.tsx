import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { NO_AUGMENTATION } from '../../base/augmentation.ts';
import { ok, type Result } from '../../base/result.ts';
import type { WorkerApi } from '../../worker/api.ts';
import { live } from '../metrics/live.ts';
import { usePad } from '../pad/pad-store.ts';
import { useApp } from '../state/store.ts';
import { Gallery } from './Gallery.tsx';
import { Storage } from './Storage.tsx';
import { anyPart } from '../testing/any-part.ts';
import { datasetEntry } from '../testing/dataset-entry.ts';

const api = {
  images: vi.fn<WorkerApi['data']['images']>(),
  predictedSamples: vi.fn<WorkerApi['inspect']['predictedSamples']>(),
  storage: vi.fn<WorkerApi['data']['storage']>(),
  removeDataset: vi.fn<WorkerApi['data']['removeDataset']>(),
  catalogue: async () => ({ ok: false }),
  predict: () => new Promise(() => undefined),
};
vi.mock('../client.ts', () => {
  const ask = <T,>(question: (one: unknown) => Promise<Result<T>>) => question(anyPart(api));
  return { ask };
});

const classes = Array.from({ length: 10 }, (_, i) => (i === 3 ? 'cat' : `class ${i}`));
const dataset = (name: string, own = false) =>
  datasetEntry({
    ...{ name, own, title: own ? 'Your images' : 'Digits', shape: [1, 1, 1], classes },
    counts: { train: 200, test: 40 },
  });

/** Of 20 images per class. */
const page: WorkerApi['data']['images'] = async ({ split, label, first, count }) => {
  const perClass = classes.map(() => (split === 'train' ? 20 : 4));
  const all = perClass.flatMap((many, one) => Array.from({ length: many }, () => one));
  const found = all.flatMap((one, i) => (label === undefined || one === label ? [i] : []));
  const indices = found.slice(first, first + count);
  return ok({
    classes,
    total: found.length,
    perClass,
    indices: Uint32Array.from(indices),
    labels: Uint8Array.from(indices, (i) => all[i]),
    images: new Uint8Array(indices.length),
    shape: [1, 1, 1],
  });
};

/** Calls back once the end is in view; undefined while nothing waits for it. */
let atEnd: (() => void) | undefined;
/** Scrolls to the end of the list. */
async function reachEnd(): Promise<void> {
  await waitFor(() => expect(atEnd).toBeDefined());
  act(() => atEnd?.());
}

beforeEach(() => {
  live.clear();
  api.images.mockReset().mockImplementation(page);
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        atEnd = () => callback([{ isIntersecting: true }]);
      }
      observe() {}
      disconnect() {
        atEnd = undefined;
      }
    },
  );
  useApp.setState({ ...useApp.getInitialState(), datasets: [dataset('digits'), dataset('own', true)] }, true);
});

// By role, hundreds of buttons would take seconds.
const images = () => screen.getByLabelText('Images').children.length;

test('images come in parts as they are scrolled to; a selected one goes to the pad', async () => {
  const onClose = vi.fn<() => void>();
  render(<Gallery onClose={onClose} />);
  await screen.findByText('200 images');
  expect(images()).toBe(96);
  await reachEnd();
  await waitFor(() => expect(images()).toBe(192));
  await reachEnd();
  await waitFor(() => expect(images()).toBe(200));
  expect(screen.queryByText('Show more')).toBe(null);
  fireEvent.click(screen.getByTitle('Training image 60: cat'));
  expect(usePad.getState().origin).toBe('Training image 60: cat');
  expect(onClose).toHaveBeenCalled();
});

test('a class is found by its name', async () => {
  render(<Gallery onClose={() => undefined} />);
  await screen.findByText('200 images');
  await userEvent.type(screen.getByLabelText('Find a class'), 'CA{Enter}');
  await screen.findByText('20 images');
  expect(screen.getByText('cat', { selector: '[aria-pressed="true"]' })).toBeTruthy();
  expect(api.images.mock.lastCall?.[0]).toMatchObject({ split: 'train', label: 3 });
  fireEvent.click(screen.getByLabelText('Test (40)'));
  await screen.findByText('4 images');
});

test('augmented images are those of the settings', async () => {
  useApp.getState().change({ augmentation: { crop: '0' } });
  render(<Gallery onClose={() => undefined} />);
  await screen.findByText('200 images');
  fireEvent.click(screen.getByLabelText('Augmented'));
  expect(api.images).toHaveBeenCalledTimes(1);
  act(() => useApp.getState().change({ augmentation: { mixup: '0.2' }, seed: '7' }));
  fireEvent.click(screen.getByLabelText('Augmented'));
  const augmented = { augmentation: { ...NO_AUGMENTATION, mixup: 0.2 }, seed: 7, step: 0 };
  await expect.poll(() => api.images.mock.lastCall?.[0]).toMatchObject({ augmented });
});

test('mistakes of the current model, once it was tested on this data', async () => {
  const sample = { index: 12, label: 3, prediction: 5, confidence: 0.9, labelProbability: 0.1 };
  const found = {
    step: 10,
    epoch: 1,
    total: 1,
    samples: [sample],
    images: new Uint8Array(1),
    shape: [1, 1, 1],
  };
  api.predictedSamples.mockResolvedValue(ok(found));
  useApp.setState({ runId: 1, runConfig: { dataset: 'digits' } as never });
  live.addEvaluation({ step: 10, epoch: 1, testLoss: 0.2, testAccuracy: 0.9 });
  render(<Gallery onClose={() => undefined} />);
  fireEvent.click(screen.getByLabelText('Test (40)'));
  fireEvent.click(screen.getByLabelText('Mistakes'));
  await screen.findByText('1 mistake of the current model, highest confidence first');
  expect(screen.getByText('cat → class 5')).toBeTruthy();
});

test('saved data sets are listed with their sizes and removed; own images only after a question', async () => {
  let saved = [
    { name: 'digits', bytes: 11_600_000 },
    { name: 'own', bytes: 48_000 },
  ];
  api.storage.mockImplementation(async () => ok({ datasets: saved, usage: 12_000_000, quota: 2e9 }));
  api.removeDataset.mockReset().mockImplementation(async (name) => {
    saved = saved.filter((one) => one.name !== name);
    return ok(undefined);
  });
  render(<Storage onClose={() => undefined} />);
  await screen.findByText('11.6 MB');
  expect(screen.getByText(/^Saved runs, weights and the page itself use another 352 kB\./)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Remove Digits' }));
  await expect.poll(() => screen.queryByText('11.6 MB')).toBe(null);
  fireEvent.click(screen.getByRole('button', { name: 'Remove Your images' }));
  expect(api.removeDataset).toHaveBeenCalledTimes(1);
  fireEvent.click(screen.getByRole('button', { name: 'Remove for good Your images' }));
  await screen.findByText(/^No data set is saved/);
});

test('the data set of the open run stays', async () => {
  api.storage.mockResolvedValue(ok({ datasets: [{ name: 'digits', bytes: 11_600_000 }] }));
  useApp.setState({ runState: 'paused', runConfig: { dataset: 'digits' } as never });
  render(<Storage onClose={() => undefined} />);
  const remove = await screen.findByRole('button', { name: 'Remove Digits' });
  expect(remove.title).toMatch(/Stop the run first/);
});
