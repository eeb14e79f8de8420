import { configure, fireEvent, render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useState } from 'react';
import { ComparisonPanel } from './ComparisonPanel.tsx';
import { Roofline } from './Roofline.tsx';
import { CallPanel, KernelPanel } from './tables.tsx';
import { profile } from './testing.ts';
import { readProfile } from './saved-profile.ts';
import { Timeline } from './Timeline.tsx';

// Nothing is hidden here; to check that takes most of the time.
configure({ defaultHidden: true });

/** Timeline and table share the selected kernel. */
function Results() {
  const [selected, select] = useState<number>();
  const props = { profile, selected, select };
  return (
    <>
      <Timeline {...props} />
      <KernelPanel {...props} />
    </>
  );
}

const lane = () => within(screen.getByRole('group', { name: 'Kernels in execution order' }));
const rows = () => screen.getAllByRole('row').slice(1);
const selectedIn = (where: { queryAllByRole: typeof screen.queryAllByRole }) =>
  where
    .queryAllByRole('button', { pressed: true })
    .map((button) => button.textContent || button.getAttribute('aria-label'));

const press = (...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key });
};

test('the arrow keys move through the kernels, and the table follows', () => {
  render(<Results />);
  lane().getAllByRole('button')[0].focus();
  press('Home', 'ArrowRight');
  expect(selectedIn(lane())).toEqual([expect.stringContaining('kernel1,')]);
  expect(screen.getByText(/shaders\/conv\/direct\/k1\.wgsl/)).toBeTruthy();
  // It is one of the fastest: selection adds its row to the slowest fourteen.
  const table = within(screen.getByRole('table'));
  expect(selectedIn(table)).toEqual([expect.stringContaining('kernel1')]);
  expect(rows()).toHaveLength(15);
  press('ArrowLeft', 'ArrowLeft');
  expect(selectedIn(lane())).toEqual([expect.stringContaining('kernel0,')]);
  press('End');
  expect(selectedIn(table)).toEqual([expect.stringContaining('kernel19')]);
  // Selecting it once more clears the selection.
  fireEvent.click(table.getByRole('button', { pressed: true }));
  expect(selectedIn(lane())).toEqual([]);
});

test('kernels are slowest first, all of them on request; layers have both passes', () => {
  render(<Results />);
  expect(rows()).toHaveLength(14);
  expect(rows()[0].textContent).toContain('kernel19');
  fireEvent.click(screen.getByRole('button', { name: 'Show all 20 kernels' }));
  expect(rows()).toHaveLength(20);
  fireEvent.click(screen.getByRole('button', { name: 'Show first 14' }));
  expect(rows()).toHaveLength(14);
  fireEvent.click(screen.getByRole('radio', { name: 'Layers' }));
  expect(rows().map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^conv2.*30.0 ms80.0 ms$/),
    expect.stringMatching(/^conv1.*25.0 ms75.0 ms$/),
  ]);
});

test('calls that only wait come last and have no share', () => {
  render(<CallPanel profile={profile} />);
  expect(screen.getByRole('heading', { name: 'CPU time in WebGPU calls: 4.00 ms per step' })).toBeTruthy();
  expect(rows().map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^writeBuffer.*75\.0/),
    expect.stringMatching(/^submit.*25\.0/),
    expect.stringMatching(/^mapAsync.*waits/),
  ]);
});

test('the timeline zooms, finds kernels and measures', () => {
  render(<Results />);
  const first = () => lane().getAllByRole('button')[0];
  const width = () => Number.parseFloat(first().style.width);
  const before = width();
  fireEvent.click(screen.getByRole('button', { name: /Zoom in/ }));
  expect(width()).toBeCloseTo(2 * before);
  fireEvent.click(screen.getByRole('button', { name: /Zoom out/ }));
  expect(width()).toBeCloseTo(before);

  const search = screen.getByRole('searchbox', { name: 'Find a kernel' });
  fireEvent.change(search, { target: { value: 'kernel1' } });
  expect(screen.getByRole('status', { name: 'Found' }).textContent).toBe('11 of 20');
  expect(first().dataset.dim).toBe('true');
  fireEvent.keyDown(search, { key: 'Enter' });
  expect(selectedIn(lane())).toEqual([expect.stringContaining('kernel1,')]);

  lane().getAllByRole('button')[2].focus();
  fireEvent.click(lane().getAllByRole('button')[2]);
  fireEvent.keyDown(lane().getAllByRole('button')[2], { key: 'ArrowRight', shiftKey: true });
  const details = screen.getByRole('status', { name: 'Details' });
  expect(details.textContent).toContain('7.00 ms measured; 2 kernels take 7.00 ms of it.');
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
  expect(details.textContent).not.toContain('measured');

  // The kernel under the pointer is described, or the one chosen by key, whichever moved last.
  fireEvent.pointerMove(lane().getAllByRole('button')[9]);
  expect(details.textContent).toContain('kernel9');
  fireEvent.keyDown(lane().getAllByRole('button')[3], { key: 'ArrowRight' });
  expect(details.textContent).toContain('kernel4');
});

test('an earlier profile is drawn on the same scale, and compared kernel by kernel', () => {
  const run = { config: {} as never, model: 'LeNet-5', date: new Date(1), adapter: undefined };
  const slower = profile.kernels.map((one) =>
    one.kernel === 'kernel4' ? { ...one, time: { ...one.time, median: 9, p10: 9, p90: 9 } } : one,
  );
  const other = { ...run, ...profile, kernels: slower };
  render(
    <>
      <Timeline profile={profile} selected={undefined} select={() => undefined} other={other} />
      <ComparisonPanel
        profile={{ ...other, ...profile, date: new Date(2) }}
        earlier={[other]}
        other={other}
        onChange={() => undefined}
      />
    </>,
  );
  expect(screen.getByText('Kernels, earlier profile')).toBeTruthy();
  expect(rows().map((row) => row.textContent)).toEqual(['kernel49.00 ms5.00 ms−4.00 msyes']);
});

test('a downloaded profile is opened again, and anything else is refused', () => {
  const saved = { model: 'LeNet-5', date: new Date(5), config: {}, ...profile };
  const { date, kernels } = readProfile('profile.json', JSON.stringify(saved));
  expect([date, kernels]).toEqual([new Date(5), profile.kernels]);
  for (const text of ['', '{}', 'null', JSON.stringify({ ...saved, wall: 3 })])
    expect(() => readProfile('other.json', text)).toThrow(/^other\.json: /);
  const spans = [{ row: 'gpu', name: 'x', start: 0, ms: 1, kernel: 99 }];
  expect(() => readProfile('other.json', JSON.stringify({ ...saved, spans }))).toThrow(
    'expected spans to be of the',
  );
});

test('the names of the two peaks stand below the roofline, where no line runs through them', () => {
  const { container } = render(<Roofline profile={profile} selected={undefined} select={() => undefined} />);
  const names = /matrix multiplication|copy of/;
  expect(container.querySelector('svg[role="img"]')?.textContent).not.toMatch(names);
  const [compute, copy] = screen.getAllByText(names).map((one) => one.closest('li')?.textContent);
  expect([compute, copy]).toEqual([
    expect.stringMatching(/^512² matrix multiplication: 4\.00 TFLOP\/s/),
    expect.stringMatching(/^copy of .*: 100 GB\/s/),
  ]);
});
