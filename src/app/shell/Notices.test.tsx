import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { AdapterSummary } from '../../worker/api.ts';
import { useApp } from '../state/store.ts';
import { MissingPart, Notices, SlowNotice } from './Notices.tsx';
import { RunNotices } from './RunNotices.tsx';

const error = { code: 'no-webgpu', message: 'The adapter is gone.', advice: 'Reload the page.' } as const;

const CPU = { cpu: true, software: false, featureLevel: 'core' } as AdapterSummary;

beforeEach(() => {
  vi.stubGlobal('isSecureContext', true);
  useApp.setState({ ...useApp.getInitialState(), device: 'ready' }, true);
});

/** The titles of the notices, from top to bottom. */
const titles = (container: HTMLElement) =>
  [...container.querySelectorAll('p:first-child')].map((title) => title.textContent);

test('a working page has none', () => {
  expect(titles(render(<Notices />).container)).toEqual([]);
});

test('the worst comes first, and a crash hides its consequences', async () => {
  useApp.setState({ device: 'unavailable', deviceError: error, update: true, runError: error });
  const { container } = render(<Notices />);
  // Its code is fetched first.
  await screen.findByText('WebGPU is not available');
  expect(titles(container)).toEqual([
    'WebGPU is not available',
    'A new version is available',
    'Something went wrong',
  ]);
  act(() => useApp.setState({ crash: 'out of memory' }));
  expect(titles(container)).toEqual([
    'The training worker crashed',
    'A new version is available',
    'Something went wrong',
  ]);
});

test('where the processor cannot compute either, the CPU is not offered', async () => {
  const reason = 'The CPU engine needs WebAssembly with SIMD.';
  useApp.setState({ device: 'unavailable', deviceError: { code: 'no-cpu-engine', message: reason } });
  render(<Notices />);
  const notice = (await screen.findByText('The CPU engine is not available')).parentElement;
  expect(notice?.textContent).toContain(reason);
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Use the CPU' })).toBe(null);
});

test('an error that did not end the run can be dismissed; that of a failed run stays', async () => {
  useApp.setState({ runError: error });
  render(<Notices />);
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('alert')).toBe(null);
  expect(useApp.getState().runError).toBeUndefined();
});

test('a run that failed shows its error until the next one', () => {
  useApp.setState({ runState: 'failed', runError: error });
  render(<Notices />);
  expect(screen.getByRole('alert').textContent).toContain('The run failed');
  expect(screen.queryByRole('button', { name: 'Dismiss' })).toBe(null);
});

test('where the CPU trains for want of a GPU, one notice says so and why', async () => {
  useApp.setState({ adapter: { ...CPU, insteadOfGpu: error } });
  render(<SlowNotice />);
  expect((await screen.findByText('Training runs on the CPU here')).parentElement?.textContent).toContain(
    'The adapter is gone. Everything works; large models are slower than on a GPU.',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText('Training runs on the CPU here')).toBe(null);
});

test('where somebody chose the CPU, there is nothing to say', () => {
  useApp.setState({ adapter: CPU });
  expect(titles(render(<SlowNotice />).container)).toEqual([]);
});

test('other notices can be dismissed too', async () => {
  useApp.setState({
    missingPart: error,
    stopReason: 'Epoch 2 reached 97 %.',
    saveError: error,
    update: true,
  });
  render(
    <>
      <MissingPart />
      <Notices />
      <RunNotices />
      <SlowNotice />
    </>,
  );
  for (let left = 4; left > 0; left--) {
    const buttons = screen.getAllByRole('button', { name: 'Dismiss' });
    expect(buttons).toHaveLength(left);
    await userEvent.click(buttons[0]);
  }
  expect(screen.queryByText('Stopped early')).toBe(null);
});

test('compatibility mode has a notice of what is slower, which can be dismissed', async () => {
  const adapter = { software: false, featureLevel: 'compatibility' } as AdapterSummary;
  useApp.setState({ adapter });
  const { container } = render(<SlowNotice />);
  await screen.findByText(/Convolutions and matrix products are slower/);
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(container.textContent).toBe('');
  act(() => useApp.setState({ adapter: { ...adapter, featureLevel: 'core' }, slownessKnown: false }));
  expect(container.textContent).toBe('');
});
