import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { expect, test, vi } from 'vitest';
import { DataTable, type TableColumn, type SortOrder } from './DataTable.tsx';

interface Fruit {
  name: string;
  weight?: number;
}
const fruits: Fruit[] = [{ name: 'apple', weight: 180 }, { name: 'pear' }];

const columns: TableColumn<Fruit>[] = [
  { key: 'name', title: 'Fruit', sort: 'ascending', render: ({ name }) => name },
  {
    title: 'Weight',
    number: true,
    sort: 'descending',
    span: ({ weight }) => (weight === undefined ? 2 : 1),
    render: ({ weight }) => weight ?? 'unknown',
  },
  { title: 'Half', number: true, render: ({ weight = 0 }) => weight / 2 },
];
const common = { caption: 'Fruits', rows: fruits, keyOf: ({ name }: Fruit) => name };

const accessible = async () =>
  expect((await axe.run(document.body, { rules: { region: { enabled: false } } })).violations).toEqual([]);

test('heads of columns and rows are named, and a cell can take the place of the next', async () => {
  render(<DataTable {...common} columns={[...columns, false]} region="All fruits" />);
  screen.getByRole('region', { name: 'All fruits' });
  const table = within(screen.getByRole('table', { name: 'Fruits' }));
  expect(table.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
    'Fruit',
    'Weight',
    'Half',
  ]);
  expect(table.getAllByRole('rowheader').map((head) => head.textContent)).toEqual(['apple', 'pear']);
  expect(table.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['180', '90', 'unknown']);
  await accessible();
});

test('a head sorts by its column in its own direction first, then the other way', async () => {
  const onOrder = vi.fn<(order: SortOrder) => void>();
  const order = { column: 'name', ascending: true };
  render(<DataTable {...common} columns={columns} order={order} onOrder={onOrder} />);
  expect(screen.getByRole('columnheader', { name: /^Fruit/ }).getAttribute('aria-sort')).toBe('ascending');
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  await userEvent.click(screen.getByRole('button', { name: 'Weight' }));
  expect(onOrder.mock.calls).toEqual([
    [{ column: 'name', ascending: false }],
    [{ column: 'Weight', ascending: false }],
  ]);
  await accessible();
});

test('a line below a row takes the whole width; a group has a head of its own', async () => {
  const grouped = columns.map((column, i) => (i === 0 ? column : { ...column, group: 'Grams' }));
  render(
    <DataTable {...common} columns={grouped} below={({ weight }) => weight === undefined && 'Not weighed'} />,
  );
  expect(screen.getByText('Not weighed').getAttribute('colspan')).toBe('3');
  expect(screen.getByRole('columnheader', { name: 'Grams' }).getAttribute('colspan')).toBe('2');
  await accessible();
});
