import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import type { DatasetEntry } from '../../worker/api.ts';
import { useApp } from '../state/store.ts';
import { ActionButton } from './ActionButton.tsx';
import { train } from './actions.ts';
import { obstacleToTraining } from './start.ts';

const digits = {
  name: 'digits',
  title: 'Digits',
  counts: { train: 48, test: 12 },
  shape: [1, 28, 28],
  augmentation: {},
  status: { state: 'ready' },
} as unknown as DatasetEntry;

beforeEach(() => {
  const initial = useApp.getInitialState();
  const settings = { ...initial.settings, batchSize: '64' };
  useApp.setState({ ...initial, device: 'ready', datasets: [digits], settings }, true);
});

test('Train is enabled while a setting is invalid, and leads to its field in a closed fold', async () => {
  expect(obstacleToTraining(useApp.getState())).toBe('Batch size: Enter a whole number from 1 to 48.');
  render(
    <>
      <ActionButton action={train} />
      <details>
        <input aria-label="Batch size" aria-invalid="true" />
      </details>
    </>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Train' }));
  const field = screen.getByLabelText('Batch size');
  expect(document.activeElement).toBe(field);
  expect(field.closest('details')?.open).toBe(true);
});

test('what is not drawn is opened first', async () => {
  const Drawer = () => {
    const [open, setOpen] = useState(false);
    return (
      <>
        <ActionButton action={train} />
        <button type="button" data-wrong onClick={() => setOpen(true)}>
          Advanced
        </button>
        {open && <input aria-label="Batch size" aria-invalid="true" />}
      </>
    );
  };
  render(<Drawer />);
  await userEvent.click(screen.getByRole('button', { name: 'Train' }));
  const field = await screen.findByLabelText('Batch size');
  await expect.poll(() => document.activeElement).toBe(field);
});
