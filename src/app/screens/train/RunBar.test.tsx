import { render, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { RunState } from '../../../worker/api.ts';
import { useApp } from '../../state/store.ts';
import { datasetEntry } from '../../testing/dataset-entry.ts';
import { Forecast } from './Forecast.tsx';
import { RunBar } from './RunBar.tsx';

const digits = datasetEntry();

beforeEach(() => {
  useApp.setState({ ...useApp.getInitialState(), device: 'ready', datasets: [digits] }, true);
});

const status = () => screen.getByLabelText('Status').textContent;
const primary = () =>
  screen.getAllByRole('button').filter((button) => /primary/.test(button.className))[0]?.textContent;
const enabled = () =>
  screen
    .getAllByRole('button')
    .filter((button) => !button.hasAttribute('aria-disabled'))
    .map((button) => button.textContent);

test.each<[RunState, string, string, string[]]>([
  ['idle', 'Ready', 'Train', ['Train', 'Step']],
  ['training', 'Training', 'Pause', ['Pause', 'Step', 'Restart', 'Stop']],
  ['paused', 'Paused', 'Resume', ['Resume', 'Step', 'Restart', 'Stop']],
  ['stopped', 'Stopped', 'Train', ['Train', 'Step', 'Restart', 'Resume']],
])('while %s', (runState, text, first, available) => {
  useApp.setState({ runState, runId: runState === 'idle' ? 0 : 1 });
  render(<RunBar />);
  expect(status()).toBe(text);
  expect(primary()).toBe(first);
  expect(enabled()).toEqual(available);
});

test('a disabled button gives the reason; keys are shown and announced unless they are off', () => {
  render(<RunBar />);
  expect(screen.getByRole('button', { name: 'Stop' }).title).toBe('No active run.');
  const train = screen.getByRole('button', { name: 'Train' });
  expect(train.title).toMatch(/\(Space\)$/);
  expect(train.getAttribute('aria-keyshortcuts')).toBe('Space');
});

test('while the worker does not respond, nothing is ready', () => {
  useApp.setState({ responds: false });
  render(<RunBar />);
  expect(status()).toBe('Not ready');
});

test('the page says what the user must do first', () => {
  useApp.setState({ datasets: [{ ...digits, status: { state: 'absent' } }] });
  render(
    <>
      <RunBar />
      <Forecast />
    </>,
  );
  expect(status()).toBe('Not ready');
  expect(screen.getByText('Synthetic digits is not downloaded. Get it under Data.')).toBeTruthy();
});

test('conditions that will be met soon are not mentioned', () => {
  useApp.setState({ datasets: [{ ...digits, shipped: true, status: { state: 'absent' } }] });
  render(
    <>
      <RunBar />
      <Forecast />
    </>,
  );
  expect(status()).toBe('Not ready');
  expect(screen.queryByText(/is not downloaded/)).toBe(null);
});
