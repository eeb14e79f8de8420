import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { TableFigure } from '../../../worker/api.ts';
import { TablePanel } from './TablePanel.tsx';

const figure: TableFigure = {
  kind: 'table',
  name: 'times',
  title: 'Times',
  explanation: '',
  columns: [
    { name: 'images', title: 'Images', unit: 'count', key: true },
    { name: 'layer', title: 'Layer', key: true },
    { name: 'ms', title: 'Time', unit: 'ms' },
  ],
};
const row = (images: number, layer: string, ms: number) => ({
  figure: 'times',
  cells: { images, layer, ms },
});

test('another machine’s number is below one’s own, in the row that both have', () => {
  render(
    <TablePanel figure={figure} lines={[row(10, 'a', 4), row(10, 'b', 5)]} beside={[row(10, 'a', 2)]} />,
  );
  const [, first, second] = screen.getAllByRole('row');
  expect(within(first).getAllByRole('cell').at(-1)?.innerHTML).toBe('4.00 ms<small>2.00 ms</small>');
  expect(within(second).getAllByRole('cell').at(-1)?.innerHTML).toBe('5.00 ms');
});

test('many rows: the first are shown, the rest behind a button', () => {
  const lines = Array.from({ length: 20 }, (_, i) => row(10, `layer ${i}`, 1));
  render(<TablePanel figure={figure} lines={lines} beside={[]} />);
  expect(screen.getByText('8 more rows')).toBeTruthy();
});

test('columns that narrow screens leave out are named', () => {
  const columns = [...figure.columns, { name: 'read', title: 'Read-back', wide: true as const }];
  render(<TablePanel figure={{ ...figure, columns }} lines={[row(10, 'a', 4)]} beside={[]} />);
  expect(screen.getByText('Wider screens also show “Read-back”.')).toBeTruthy();
});
