import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CopyLink } from './CopyLink.tsx';

const copyText = vi.hoisted(() => vi.fn<() => Promise<boolean>>());
vi.mock('../clipboard.ts', () => ({ copyText }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const copy = async () => {
  fireEvent.click(screen.getByRole('button', { name: 'Copy link' }));
  await act(() => vi.advanceTimersByTimeAsync(100));
};

test('what it says of a copied link disappears again', async () => {
  copyText.mockResolvedValue(true);
  render(<CopyLink />);
  await copy();
  expect(screen.getByRole('status').textContent).toBe('Link copied.');
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(screen.getByRole('status').textContent).toBe('');
});

test('a link that could not be copied stays, to be copied by hand', async () => {
  copyText.mockResolvedValue(false);
  render(<CopyLink />);
  vi.useRealTimers();
  fireEvent.click(screen.getByRole('button', { name: 'Copy link' }));
  expect(await screen.findByText(/Copy this link instead: /)).toBeTruthy();
});
