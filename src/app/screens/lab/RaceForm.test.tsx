import { act, configure, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Result } from '../../../base/result.ts';
import type { ConvSizes, LabJob } from '../../../worker/api.ts';
import { useApp } from '../../state/store.ts';
import { useLab } from './lab-store.ts';
import { RaceForm } from './RaceForm.tsx';
import { anyPart } from '../../testing/any-part.ts';

/** What the worker checks: that groups divide K. */
const checkProblem = ({ K, groups, ...others }: ConvSizes) =>
  Promise.resolve(
    K % groups === 0
      ? { ok: true, value: { problem: { ...others, K, groups, P: 30, Q: 30 }, key: '', flops: 5e6 } }
      : {
          ok: false,
          error: {
            code: 'bad-input',
            message: `convolution: ${K} filters do not divide into ${groups} groups`,
          },
        },
  );
const labCatalogue = vi.fn<() => Promise<Result<unknown>>>();
const startLab = vi.fn<(job: number, what: LabJob) => Promise<Result<undefined>>>();

vi.mock('../../client.ts', () => ({
  ask: (question: (api: unknown) => Promise<unknown>) =>
    question(
      anyPart({
        checkProblem,
        startLab,
        labCatalogue,
        modelUses: () => Promise.resolve({ ok: true, value: [] }),
      }),
    ),
}));

// Nothing is hidden here; to check that takes most of the time.
configure({ defaultHidden: true });

const initial = useLab.getState();
const algorithms = [
  { name: 'direct', summary: '' },
  { name: 'fft', summary: '' },
];

beforeEach(() => {
  startLab.mockReset().mockResolvedValue({ ok: true, value: undefined });
  useApp.setState({ device: 'ready', adapter: undefined });
  useLab.setState({ ...initial, catalogue: { algorithms, suites: [] } as never }, true);
});

async function show() {
  render(<RaceForm />);
  await screen.findByText(/^Output: 16 × 16 × 30 × 30/);
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const button = () => screen.getByRole('button', { name: 'Race' });

/** Types, and waits for the worker's answer. */
const type = (name: string, value: string) =>
  act(async () => fireEvent.change(field(name), { target: { value } }));
const click = (element: HTMLElement) => act(async () => fireEvent.click(element));

test('a race starts with the typed sizes and workspace', async () => {
  await show();
  await type('N', '2');
  await type('stride', '2x1');
  await type('Workspace, MiB', '1');
  await click(screen.getByRole('checkbox', { name: /fft/ }));
  await click(screen.getByRole('radio', { name: 'Both' }));
  await click(button());
  const [, what] = startLab.mock.lastCall ?? [];
  expect(what).toMatchObject({
    kind: 'find',
    requests: ['f32', 'f16'].map((number) => ({
      sizes: { N: 2, C: 16, stride: [2, 1] },
      number,
      workspace: 2 ** 20,
      algorithms: ['fft'],
    })),
  });
  expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy();
});

test('the workgroup size of a race is free', async () => {
  await show();
  await type('Workgroup size', '37');
  await click(button());
  expect(startLab.mock.lastCall?.[1]).toMatchObject({ requests: [{ launchSize: { threads: 37 } }] });
});

test('a race of a link keeps its algorithms, although it starts before the list of them is there', async () => {
  let arrives: (answer: Result<unknown>) => void = () => undefined;
  labCatalogue.mockReturnValue(new Promise((resolve) => (arrives = resolve)));
  useLab.setState(({ race }) => ({ catalogue: undefined, race: { ...race, algorithms: ['fft', 'gone'] } }));
  await show();
  await click(button());
  expect(startLab).not.toHaveBeenCalled();
  await act(async () => arrives({ ok: true, value: { algorithms, suites: [] } }));
  const [, what] = startLab.mock.lastCall ?? [];
  expect(what).toMatchObject({ kind: 'find', requests: [{ algorithms: ['fft'] }] });
});

test.each([
  ['beside a real GPU', { software: false, cpu: false, features: [] }, true],
  ['not beside a software GPU', { software: true, cpu: false, features: [] }, false],
])('without a choice the CPU is timed %s', async (_, adapter, timed) => {
  useApp.setState({ adapter: adapter as never });
  await show();
  const requested = async () => {
    await click(button());
    const [, what] = startLab.mock.lastCall ?? [];
    act(() => useLab.setState({ batches: {} }));
    return what?.kind === 'find' && what.requests.map(({ cpu }) => cpu);
  };
  expect(await requested()).toEqual([timed ? true : undefined]);
  await click(screen.getByRole('radio', { name: 'Both' }));
  await click(screen.getByRole('checkbox', { name: 'Time the CPU too' }));
  // It has no float16.
  expect(await requested()).toEqual([timed ? undefined : true, undefined]);
});

test('where the CPU computes, there is no other to time', async () => {
  useApp.setState({ adapter: { software: false, cpu: true, features: [] } as never });
  await show();
  expect(screen.queryByRole('checkbox', { name: 'Time the CPU too' })).toBe(null);
});

test.each([
  ['K', 'many', /^K \(filters\): Enter a whole number .*, not many\. Still 16\.$/],
  [
    'stride',
    '1x2x3',
    /^stride \(one number, or vertical × horizontal\): Enter one number, or two as in 2x1\.$/,
  ],
])('%s "%s" is marked, and the race cannot start', async (name, text, message) => {
  await show();
  await type(name, text);
  expect(screen.getByRole('status').textContent).toMatch(message);
  expect(field(name).getAttribute('aria-invalid')).toBe('true');
  expect(button().title).toBe('Invalid sizes. See above.');
  await click(button());
  expect(startLab).not.toHaveBeenCalled();
  await type(name, '1');
  expect(field(name).getAttribute('aria-invalid')).toBeNull();
});

test('what a link has in place of a number is marked', () => {
  const { race } = useLab.getState();
  useLab.setState({ race: { ...race, sizes: { ...race.sizes, N: 'many' }, threads: '0' } });
  render(<RaceForm />);
  for (const name of ['N', 'Workgroup size']) expect(field(name).getAttribute('aria-invalid')).toBe('true');
  expect(field('K').getAttribute('aria-invalid')).toBeNull();
});

test('without a number of its own, a race has the workspace of training', async () => {
  useApp.setState({ adapter: { features: [], workspace: 256 * 2 ** 20 } as never });
  await show();
  expect(field('Workspace, MiB').getAttribute('placeholder')).toBe('256');
  await click(button());
  expect(startLab.mock.lastCall?.[1]).toMatchObject({ requests: [{ workspace: 256 * 2 ** 20 }] });
});

test('sizes that do not fit together, and a workspace out of range', async () => {
  await show();
  await type('groups', '3');
  expect(await screen.findByText('16 filters do not divide into 3 groups')).toBeTruthy();
  expect(field('groups').getAttribute('aria-invalid')).toBeNull();
  expect(button().getAttribute('aria-disabled')).toBe('true');
  await type('groups', '1');
  await type('Workspace, MiB', '5000');
  expect(field('Workspace, MiB').getAttribute('aria-invalid')).toBe('true');
  expect(button().title).toBe('Enter a number from 0 to 4096, not 5000.');
});

test('edited WGSL is named, and another measurement is waited for', async () => {
  await show();
  act(() => useLab.getState().edit('conv/fft/fprop', '// mine'));
  expect(screen.getByText('Your version of conv/fft/fprop.wgsl races beside the original.')).toBeTruthy();
  act(() => useApp.setState({ gpuTask: 'profile' }));
  expect(screen.getByText(/^A step is being profiled/)).toBeTruthy();
  act(() => useApp.setState({ gpuTask: undefined }));
});
