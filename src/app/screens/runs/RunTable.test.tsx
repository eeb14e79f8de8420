import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { useRuns } from '../../journal/runs-store.ts';
import type { RunRecord } from '../../journal/record.ts';
import { usePicked } from './manage.ts';
import type { RunOrder } from './order.ts';
import { RunTable } from './RunTable.tsx';

vi.mock('./differences.ts', () => ({ difference: () => 'lr 0.01 → 0.03' }));

const run = (id: string, more: Partial<RunRecord> = {}): RunRecord =>
  ({
    id,
    name: `run-${id}`,
    number: 1,
    began: 1e12,
    config: { model: 'lenet5', dataset: 'digits', batchSize: 64 },
    model: 'LeNet-5',
    dataset: 'Digits',
    state: 'stopped',
    step: 20,
    trainedMs: 1500,
    evaluations: [],
    sketch: [2, 1],
    live: null,
    starred: false,
    ...more,
  }) as unknown as RunRecord;

function show(records: RunRecord[], order: RunOrder = { column: 'number', ascending: false }) {
  useRuns.setState({ records });
  usePicked.setState({ ids: [] });
  const onOrder = vi.fn<(order: RunOrder) => void>();
  const onOpen = vi.fn<(id: string) => void>();
  render(<RunTable records={records} order={order} onOrder={onOrder} opened="a" onOpen={onOpen} />);
  return { onOrder, onOpen };
}

test('a column sorts text upwards and numbers downwards first, then the other way', async () => {
  const { onOrder } = show([run('a')], { column: 'name', ascending: true });
  expect(screen.getByRole('columnheader', { name: /^Run/ }).getAttribute('aria-sort')).toBe('ascending');
  await userEvent.click(screen.getByRole('button', { name: /^Run/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Status' }));
  await userEvent.click(screen.getByRole('button', { name: 'Accuracy' }));
  expect(onOrder.mock.calls.map(([order]) => order)).toEqual([
    { column: 'name', ascending: false },
    { column: 'state', ascending: true },
    { column: 'accuracy', ascending: false },
  ]);
});

test('runs are selected for comparison in the order of their boxes, and opened by name', async () => {
  const { onOpen } = show([run('a'), run('b')]);
  const box = (id: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Compare run-${id}` });
  await userEvent.click(box('b'));
  await userEvent.click(box('a'));
  expect(usePicked.getState().ids).toEqual(['b', 'a']);
  await userEvent.click(box('b'));
  expect(usePicked.getState().ids).toEqual(['a']);
  expect(box('b').checked).toBe(false);
  expect(screen.getByRole('button', { name: 'run-a' }).getAttribute('aria-expanded')).toBe('true');
  await userEvent.click(screen.getByRole('button', { name: 'run-b' }));
  expect(onOpen).toHaveBeenCalledExactlyOnceWith('b');
});

test('a fork names its origin', () => {
  show([run('a'), run('b', { parent: { id: 'a', name: 'old name', step: 20 } })]);
  expect(screen.getByRole('row', { name: /run-b/ }).textContent).toContain(
    'forked from run-a, step 20: lr 0.01 → 0.03',
  );
});

test('the accuracy of a run is that of its last test, not the best, and says so where there were several', () => {
  const evaluations = [
    { testAccuracy: 0.9925 },
    { testAccuracy: 0.986 },
  ] as unknown as RunRecord['evaluations'];
  show([run('a', { evaluations }), run('b', { evaluations: evaluations.slice(0, 1) })]);
  const cell = (id: string) => screen.getByRole('row', { name: new RegExp(`run-${id}`) }).textContent;
  expect(cell('a')).toMatch(/98\.6.* last of 2/);
  expect(cell('a')).not.toContain('99.25');
  expect(cell('b')).not.toContain('last of');
});
