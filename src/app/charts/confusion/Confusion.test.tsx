import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Confusion } from './Confusion.tsx';

const classes = ['cat', 'dog'];
const counts = Uint32Array.of(8, 2, 0, 10);

test('cells with images are buttons that the keyboard reaches in reading order', async () => {
  const onPress = vi.fn<(label: number, prediction: number) => void>();
  render(<Confusion classes={classes} counts={counts} onPress={onPress} />);
  const names = screen.getAllByRole('button').map((cell) => cell.getAttribute('aria-label'));
  expect(names).toEqual(['8: cat, correct', '2: cat predicted as dog', '10: dog, correct']);
  // First the matrix, which scrolls, then its cells.
  await userEvent.tab();
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Counts by class' }));
  await userEvent.tab();
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  expect(onPress).toHaveBeenCalledExactlyOnceWith(0, 1);
});

test('rows end with the recall of their class', () => {
  render(<Confusion classes={classes} counts={counts} />);
  const ends = screen.getAllByRole('row').map((row) => row.lastElementChild?.textContent);
  expect(ends.slice(2)).toEqual(['80.0 %', '100.0 %']);
  expect(screen.queryByRole('button')).toBe(null);
});

test('a class with a mistake is not at 100 %', () => {
  render(<Confusion classes={classes} counts={Uint32Array.of(1999, 1, 0, 200)} />);
  const ends = screen.getAllByRole('row').map((row) => row.lastElementChild?.textContent);
  expect(ends.slice(2)).toEqual(['>99.9 %', '100.0 %']);
});

test('a selected column is highlighted, and its cells announce it', () => {
  const selected = { label: undefined, prediction: 1 };
  render(<Confusion classes={classes} counts={counts} onPress={() => undefined} selected={selected} />);
  const pressed = screen.getAllByRole('button', { pressed: true }).map((cell) => cell.textContent);
  expect(pressed).toEqual(['2', '10']);
});
