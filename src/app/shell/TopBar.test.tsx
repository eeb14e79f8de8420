import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { Ending } from '../../base/ending.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { AdapterSummary, WorkerApi } from '../../worker/api.ts';
import { useApp } from '../state/store.ts';
import { TopBar } from './TopBar.tsx';
import { anyPart } from '../testing/any-part.ts';

const useEngine = vi.fn<WorkerApi['device']['useEngine']>();
vi.mock('../client.ts', () => ({
  ask: <T,>(question: (api: unknown) => Promise<Result<T>>) => question(anyPart({ useEngine })),
}));

const gpu = { cpu: false, description: 'A GPU', featureLevel: 'core' } as AdapterSummary;
const cpu = { cpu: true, description: 'CPU (WebAssembly)', featureLevel: 'core' } as AdapterSummary;

beforeEach(() => {
  useEngine.mockReset();
  localStorage.clear();
  useApp.setState({ ...useApp.getInitialState(), device: 'ready', adapter: gpu }, true);
});

/** With the choice of the engine open. */
async function show() {
  render(<TopBar screen="lab" addresses={{}} />);
  await userEvent.click(chip());
  await screen.findByRole('radio', { name: 'CPU' });
}
const chip = () => screen.getByRole('button', { name: /^Device/ });
const option = (name: 'GPU' | 'CPU') => screen.getByRole<HTMLInputElement>('radio', { name });

test('an engine that is chosen is kept', async () => {
  const changed = new Ending<Result<AdapterSummary>>();
  useEngine.mockReturnValue(changed.orElse(new Promise<never>(() => undefined)));
  await show();
  expect(option('GPU').checked).toBe(true);
  await userEvent.click(option('CPU'));
  expect(useEngine).toHaveBeenCalledWith('cpu');
  expect(option('CPU').checked).toBe(true);
  expect(chip().getAttribute('aria-label')).toBe('Device: Connecting…');
  // One change at a time.
  await userEvent.click(option('GPU'));
  expect(useEngine).toHaveBeenCalledTimes(1);
  await act(async () => changed.happen(ok(cpu)));
  expect(option('CPU').checked).toBe(true);
  expect(chip().textContent).toBe('CPU');
  expect(chip().getAttribute('aria-label')).toBe('Device: CPU (WebAssembly)');
  expect(localStorage.getItem('wgrad.engine')).toBe('cpu');
});

test('an engine that is not there changes nothing, and the page says why', async () => {
  const error = { code: 'no-webgpu', message: 'No GPU was found.' } as const;
  useEngine.mockResolvedValue(fail(error));
  useApp.setState({ adapter: cpu });
  await show();
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
  await show();
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

const SLOW: Record<string, [Partial<AdapterSummary>, RegExp]> = {
  'the CPU trains for want of a GPU': [
    { cpu: true, insteadOfGpu: { code: 'no-webgpu', message: 'No GPU was found.' } },
    /Training runs on the CPU here.*No GPU was found. Everything works; large models are slower/,
  ],
  'WebGPU is software': [{ software: true }, /No GPU found: WebGPU is running on the CPU/],
  'the GPU is in compatibility mode': [{ featureLevel: 'compatibility' }, /Convolutions .* are slower/],
};

test.each(Object.entries(SLOW))(
  'where %s, the chip says so until it was opened',
  async (_, [adapter, advice]) => {
    vi.stubGlobal('isSecureContext', true);
    useApp.setState({ adapter: { ...gpu, ...adapter } });
    render(<TopBar screen="lab" addresses={{}} />);
    // To compute on the CPU is no fault.
    expect(chip().dataset['tone']).toBe(adapter.insteadOfGpu ? 'info' : 'warning');
    await userEvent.click(chip());
    const panel = screen.getByRole('dialog', { name: /^Device/ });
    await expect.poll(() => panel.textContent).toMatch(advice);
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBe(null);
    expect(document.activeElement).toBe(chip());
    expect(chip().dataset['tone']).toBe('good');
  },
);

test('where somebody chose the CPU, there is nothing to warn of', () => {
  useApp.setState({ adapter: cpu });
  render(<TopBar screen="lab" addresses={{}} />);
  expect(chip().dataset['tone']).toBe('good');
});
