import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { RunStart } from '../../worker/runs/api.ts';
import { useRuns } from '../journal/runs-store.ts';
import { useApp } from '../state/store.ts';
import { MissingPart, Notices } from './Notices.tsx';
import { RunNotices } from './RunNotices.tsx';

const error = { code: 'no-webgpu', message: 'The adapter is gone.', advice: 'Reload the page.' } as const;

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
  await screen.findByText('No GPU available');
  await screen.findByText('Something went wrong');
  await screen.findByText('A new version is available');
  expect(titles(container)).toEqual([
    'No GPU available',
    'A new version is available',
    'Something went wrong',
  ]);
  act(() => useApp.setState({ crash: 'out of memory' }));
  await screen.findByText('The training worker crashed');
  expect(titles(container)).toEqual([
    'The training worker crashed',
    'A new version is available',
    'Something went wrong',
  ]);
  // What can be resumed is not called lost.
  expect(screen.getByText(/runs are saved. After the restart, resume the run/)).toBeTruthy();
});

test('a worker that does not respond, and a GPU that is busy, each have a way out', async () => {
  render(<Notices />);
  act(() => useApp.setState({ responds: false, gpuBusy: true }));
  expect(await screen.findByText('The training worker does not respond')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Restart worker' })).toBeTruthy();
  // What the GPU does is not known then.
  expect(screen.queryByText('GPU busy')).toBe(null);
  act(() => useApp.setState({ responds: true }));
  expect(await screen.findByText('GPU busy')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  const reload = vi.spyOn(location, 'reload').mockReturnValue(undefined);
  await userEvent.click(screen.getByRole('button', { name: 'Reload on the CPU' }));
  expect(reload).toHaveBeenCalledOnce();
  expect(localStorage.getItem('wgrad.engine')).toBe('cpu');
  act(() => useApp.setState({ gpuBusy: false }));
  expect(screen.queryByText('GPU busy')).toBe(null);
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

test('an error that did not end the run can be dismissed', async () => {
  useApp.setState({ runError: error });
  render(<Notices />);
  await userEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('alert')).toBe(null);
  expect(useApp.getState().runError).toBeUndefined();
});

test('the error of a run that failed is hidden when it is dismissed, until there is another one', async () => {
  useApp.setState({ runState: 'failed', runError: error });
  render(<Notices />);
  expect((await screen.findByRole('alert')).textContent).toContain('The run failed');
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('alert')).toBe(null);
  expect(useApp.getState().runError).toBe(error);
  act(() => useApp.setState({ runError: { ...error, message: 'The loss is not a number.' } }));
  expect(screen.getByRole('alert').textContent).toContain('The loss is not a number.');
});

test('other notices can be dismissed too', async () => {
  useApp.setState({
    missingPart: error,
    stopReason: 'Epoch 2 reached 97 %.',
    runNotice: 'conv1 fprop uses direct convolution.',
    saveError: error,
    update: true,
  });
  render(
    <>
      <MissingPart />
      <Notices />
      <RunNotices />
    </>,
  );
  await screen.findByText(/Epoch 2 reached/);
  for (let left = 5; left > 0; left--) {
    const buttons = screen.getAllByRole('button', { name: 'Dismiss' });
    expect(buttons).toHaveLength(left);
    await userEvent.click(buttons[0]);
  }
  expect(screen.queryByText('Stopped early')).toBe(null);
});

test('the notice of a fork can be put away, and comes back for another one', async () => {
  const fork = (name: string): RunStart => ({ id: name, run: name, name, step: 200 });
  useRuns.setState({ fork: fork('quick-lynx') });
  render(<RunNotices />);
  await userEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText(/forked from/)).toBe(null);
  expect(useRuns.getState().fork?.name).toBe('quick-lynx');
  act(() => useRuns.setState({ fork: fork('calm-fox') }));
  expect(screen.getByText(/forked from calm-fox/)).toBeTruthy();
  act(() => useRuns.setState({ fork: undefined }));
});

test('a run that may need too much memory is warned of before it starts', async () => {
  useApp.setState({ tightMemory: { bytes: 3 * 2 ** 30, budget: 2 * 2 ** 30 } });
  render(<RunNotices />);
  const warning = /needs 3.00 GiB of memory, and this device may have only 2.00 GiB/;
  expect(await screen.findByText(warning)).toBeTruthy();
  act(() => useApp.setState({ runState: 'training' }));
  expect(screen.queryByText(warning)).toBe(null);
});
