import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { Ending } from '../../base/ending.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { AdapterSummary, WorkerApi } from '../../worker/api.ts';
import { useApp } from '../state/store.ts';
import { TopBar } from './TopBar.tsx';

const useEngine = vi.fn<WorkerApi['useEngine']>();
vi.mock('../client.ts', () => ({
  ask: <T,>(question: (api: unknown) => Promise<Result<T>>) => question({ useEngine }),
}));

const gpu = { cpu: false, description: 'A GPU', featureLevel: 'core' } as AdapterSummary;
const cpu = { cpu: true, description: 'CPU (WebAssembly)', featureLevel: 'core' } as AdapterSummary;

beforeEach(() => {
  useEngine.mockReset();
  localStorage.clear();
  useApp.setState({ ...useApp.getInitialState(), device: 'ready', adapter: gpu }, true);
});

const show = () => render(<TopBar screen="train" addresses={{}} />);
const option = (name: 'GPU' | 'CPU') => screen.getByRole<HTMLInputElement>('radio', { name });

test('an engine that is chosen is kept', async () => {
  const changed = new Ending<Result<AdapterSummary>>();
  useEngine.mockReturnValue(changed.orElse(new Promise<never>(() => undefined)));
  show();
  expect(option('GPU').checked).toBe(true);
  await userEvent.click(option('CPU'));
  expect(useEngine).toHaveBeenCalledWith('cpu');
  expect(option('CPU').checked).toBe(true);
  expect(screen.getByText('Connecting…')).toBeTruthy();
  // One change at a time.
  await userEvent.click(option('GPU'));
  expect(useEngine).toHaveBeenCalledTimes(1);
  await act(async () => changed.happen(ok(cpu)));
  expect(option('CPU').checked).toBe(true);
  expect(screen.getByText('CPU (WebAssembly)')).toBeTruthy();
  expect(localStorage.getItem('wgrad.engine')).toBe('cpu');
});

test('an engine that is not there changes nothing, and the page says why', async () => {
  const error = { code: 'no-webgpu', message: 'No GPU was found.' } as const;
  useEngine.mockResolvedValue(fail(error));
  useApp.setState({ adapter: cpu });
  show();
  await userEvent.click(option('GPU'));
  expect(useApp.getState()).toMatchObject({ engine: 'auto', adapter: cpu, runError: error });
  expect(option('CPU').checked).toBe(true);
  expect(localStorage.getItem('wgrad.engine')).toBe(null);
});

test.each([
  ['something measures', { gpuTask: 'lab' }, /Lab is benchmarking/],
  [
    'a run needs what the CPU lacks',
    { runState: 'paused', runConfig: { precision: 'mixed' } as never },
    /mixed precision/,
  ],
] as const)('while %s, the engine stays', async (_, state, reason) => {
  useApp.setState(state);
  show();
  expect(screen.getByRole('group', { name: 'Compute on' }).title).toMatch(reason);
  await userEvent.click(option('CPU'));
  expect(useEngine).not.toHaveBeenCalled();
  expect(option('GPU').checked).toBe(true);
});

test('the address has the last word when the page is opened, until somebody chooses', async () => {
  localStorage.setItem('wgrad.engine', 'gpu');
  history.replaceState(null, '', '/?engine=cpu#/train');
  vi.resetModules();
  const { useApp: opened } = await import('../state/store.ts');
  expect(opened.getState().engine).toBe('cpu');
  opened.getState().setEngine('gpu');
  expect(location.href).toMatch(/\/#\/train$/);
  expect(localStorage.getItem('wgrad.engine')).toBe('gpu');
});
