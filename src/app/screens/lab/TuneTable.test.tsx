import { configure, fireEvent, render, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { LayerUse } from '../../../worker/api.ts';
import { newBatch, waiting } from './batch.ts';
import { useLab } from './lab-store.ts';
import { foundOf, measured, problem, request, timed, wrong } from './testing.ts';
import { TuneTable } from './TuneTable.tsx';

// Nothing is hidden here; to check that takes most of the time.
configure({ defaultHidden: true });

const direct = { algorithm: 'direct', launch: 'plain' };
const usage = (direction: LayerUse['direction'], by: 'get' | 'find' | 'pin'): LayerUse => ({
  layer: 'conv1',
  sizes: problem,
  direction,
  predicted: direct,
  next: { ...direct, by },
});
const one = measured([timed('direct', 2), timed('fft', 1), wrong('implicit_gemm')]);
const batch = {
  ...newBatch(1, []),
  measurements: [
    one,
    { ...waiting({ ...request, direction: 'dgrad' as const }), state: 'measuring' as const },
  ],
  date: new Date(),
  adapter: undefined,
  edited: [],
};

type Props = Parameters<typeof TuneTable>[0];

function show(more: Partial<Props> = {}) {
  const algorithms = ['direct', 'fft', 'implicit_gemm'].map((name) => ({ name, summary: '' }));
  useLab.setState({ catalogue: { algorithms, suites: [], defaultAlgorithm: 'direct' } as never });
  const handlers = {
    onTune: vi.fn<Props['onTune']>(),
    onPin: vi.fn<Props['onPin']>(),
    onExclude: vi.fn<Props['onExclude']>(),
    onRead: vi.fn<Props['onRead']>(),
  };
  render(
    <TuneTable
      uses={[usage('fprop', 'get'), usage('dgrad', 'pin'), usage('wgrad', 'find')]}
      batch={batch}
      pins={[]}
      exclude={[]}
      obstacle={undefined}
      {...handlers}
      {...more}
    />,
  );
  return handlers;
}

const row = (name: string) => screen.getByRole('button', { name }).closest('tr') as HTMLTableRowElement;
const cells = (name: string) =>
  within(row(name))
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

test('a row has the fastest algorithm and its speed-up, or why there is none', () => {
  show();
  const [fastest, median, speedUp, next] = cells('conv1 fprop');
  expect(fastest).toContain('fft');
  expect(fastest).toContain('incorrect: implicit_gemm');
  expect([median, speedUp]).toEqual(['1.00 ms', '2.00×']);
  // A phone has both in one cell.
  expect(next).toContain('predicted');
  expect(cells('conv1 dgrad')[0]).toBe('measuring…');
  expect(cells('conv1 wgrad')[0]).toBe('not measured');
});

test('an open row has every variant; only verified ones can be pinned', () => {
  const { onPin, onExclude, onRead } = show();
  fireEvent.click(screen.getByRole('button', { name: 'conv1 fprop' }));
  const variants = within(screen.getByRole('table', { name: /^fprop in f32/ }));
  fireEvent.click(variants.getByRole('button', { name: /^Pin ?fft, plain$/ }));
  expect(onPin).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ direction: 'fprop' }), {
    algorithm: 'fft',
    launch: 'plain',
  });
  const incorrect = variants.getByRole('button', { name: /^Pin ?implicit_gemm, plain$/ });
  expect(incorrect.title).toBe('Only verified variants can be pinned.');
  fireEvent.click(incorrect);
  expect(onPin).toHaveBeenCalledTimes(1);
  fireEvent.click(variants.getByRole('button', { name: /^Exclude ?implicit_gemm, plain$/ }));
  expect(onExclude).toHaveBeenCalledExactlyOnceWith({ algorithm: 'implicit_gemm', launch: 'plain' });
  fireEvent.click(variants.getByRole('button', { name: 'WGSL of fft, plain' }));
  expect(onRead).toHaveBeenCalledExactlyOnceWith({ request, choice: { algorithm: 'fft', launch: 'plain' } });
});

test('pins and exclusions can be undone', () => {
  const { onPin } = show({
    pins: [{ layer: 'conv1', direction: 'fprop', algorithm: 'fft', launch: 'plain' }],
    exclude: [direct],
  });
  fireEvent.click(within(row('conv1 dgrad')).getByRole('button', { name: 'Unpin' }));
  expect(onPin).toHaveBeenLastCalledWith(expect.objectContaining({ direction: 'dgrad' }), undefined);
  fireEvent.click(screen.getByRole('button', { name: 'conv1 fprop' }));
  fireEvent.click(screen.getByRole('button', { name: /^Unpin ?fft, plain$/ }));
  expect(onPin).toHaveBeenLastCalledWith(expect.objectContaining({ direction: 'fprop' }), undefined);
  expect(screen.getByRole('button', { name: /^Include ?direct, plain$/ })).toBeTruthy();
});

test('a row is tuned again by its index, unless something prevents it', () => {
  const { onTune } = show();
  fireEvent.click(within(row('conv1 wgrad')).getByRole('button', { name: 'Tune' }));
  expect(onTune).toHaveBeenCalledExactlyOnceWith(2);
});

test('without a winner there is no result', () => {
  show({
    batch: { ...batch, measurements: [{ ...one, tried: [wrong('fft')], found: foundOf([wrong('fft')]) }] },
  });
  expect(cells('conv1 fprop')[0]).toBe('no result');
});
